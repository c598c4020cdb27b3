#version 330 core
// SPDX-License-Identifier: Apache-2.0
in vec2 vAt;
flat in float vHalf;
flat in vec2 vShape;
flat in vec3 vFill;
flat in vec3 vBorder;
out vec4 outColor;

void main() {
  // Signed distance in pixels to the rounded square, negative inside.
  vec2 q = abs(vAt) - vHalf + vShape.x;
  float d = length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - vShape.x;
  float inside = clamp(0.5 - d, 0.0, 1.0);
  float band = inside * clamp(d + vShape.y + 0.5, 0.0, 1.0);
  vec4 fill = vec4(vFill, 1.0) * inside;
  outColor = vec4(vBorder, 1.0) * band + fill * (1.0 - band);
}
