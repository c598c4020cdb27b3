#version 330 core
// SPDX-License-Identifier: Apache-2.0
// One matrix is one quad; everything else happens a pixel at a time.
uniform vec4 uBox;       // framebuffer pixels: left, top, right, bottom
uniform vec2 uViewport;
out vec2 vPixel;         // framebuffer pixels from the viewport's upper left corner

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vPixel = mix(uBox.xy - 1.0, uBox.zw + 1.0, corner);
  gl_Position = vec4(vPixel.x / uViewport.x * 2.0 - 1.0, 1.0 - vPixel.y / uViewport.y * 2.0, 0.0, 1.0);
}
