#version 330 core
// SPDX-License-Identifier: Apache-2.0
in vec2 vAt;
flat in vec2 vHalf;
flat in float vRadius;
flat in vec3 vColor;
flat in vec3 vHatch;
out vec4 outColor;

uniform vec3 uBackground;
uniform float uScale;
uniform bool uAbsent;  // if true, unwritten cells were never computed

void main() {
  vec2 q = max(abs(vAt) - vHalf + vRadius, 0.0);
  float outside = clamp(length(q) - vRadius + 0.5, 0.0, 1.0);
  // Not written yet: rising hatching. Never computed: broader falling stripes.
  float stripe =
      uAbsent ? step(fract((gl_FragCoord.x + gl_FragCoord.y) / (12.0 * uScale)), 0.25)
              : step(fract((gl_FragCoord.x - gl_FragCoord.y) / (7.0 * uScale)), 0.15);
  outColor = vec4(mix(mix(vColor, vHatch, stripe), uBackground, outside), 1.0);
}
