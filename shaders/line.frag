#version 330 core
// SPDX-License-Identifier: Apache-2.0
in vec2 vAt;
flat in float vLength;
flat in vec3 vShape;
flat in vec4 vColor;
out vec4 outColor;

void main() {
  float shaft = vLength - 0.8 * vShape.y;
  float across = abs(vAt.y);
  float line = clamp(vShape.x - across + 0.5, 0.0, 1.0) *
               clamp(min(vAt.x, shaft - vAt.x) + 0.5, 0.0, 1.0);
  float head = 0.0;
  if (vShape.y > 0.0) {
    // A triangle whose half width decreases to 0 at the tip.
    float left = vLength - vAt.x;
    head = clamp(vShape.z * left / vShape.y - across + 0.5, 0.0, 1.0) * clamp(vShape.y - left + 0.5, 0.0, 1.0) *
           clamp(left + 0.5, 0.0, 1.0);
  }
  float coverage = max(line, head);
  outColor = vec4(vColor.rgb, 1.0) * (vColor.a * coverage);
}
