#version 330 core
// SPDX-License-Identifier: Apache-2.0
// One instance is one moving element; see MoverInstance in src/gfx/layers.h.
layout(location = 0) in vec4 aFrom;   // world: x, y, width, height
layout(location = 1) in vec4 aTo;
layout(location = 2) in float aShare;
layout(location = 3) in vec4 aFill;
layout(location = 4) in vec4 aBorder;

uniform vec2 uOrigin;    // screen position of world (0, 0), ImGui coordinates
uniform float uZoom;
uniform float uScale;    // framebuffer pixels per ImGui coordinate
uniform vec2 uViewport;  // framebuffer pixels
uniform float uShare;    // the completed fraction of the path

out vec2 vAt;            // pixels from the square's centre
flat out float vHalf;
flat out vec2 vShape;    // radius, border; pixels
flat out vec3 vFill;
flat out vec3 vBorder;

void main() {
  vec2 center = mix(aFrom.xy + 0.5 * aFrom.zw, aTo.xy + 0.5 * aTo.zw, uShare);
  float side = aShare * mix(aFrom.z, aTo.z, uShare) * uZoom * uScale;
  side = max(side, 3.0 * uScale);
  vHalf = 0.5 * side;
  float border = min(floor(2.0 * uScale + 0.5), max(1.0, floor(side * 0.15)));
  vShape = vec2(side < 8.0 * uScale ? 0.0 : 0.2 * side, border);
  vFill = aFill.rgb;
  vBorder = aBorder.rgb;
  vAt = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * (vHalf + 1.0);
  vec2 pixel = (center * uZoom + uOrigin) * uScale + vAt;
  gl_Position = vec4(pixel.x / uViewport.x * 2.0 - 1.0, 1.0 - pixel.y / uViewport.y * 2.0, 0.0, 1.0);
}
