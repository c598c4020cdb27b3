#version 330 core
// SPDX-License-Identifier: Apache-2.0
in vec2 vAt;
flat in vec2 vHalf;
flat in vec4 vShape;
flat in float vDash;
flat in vec4 vFill;
flat in vec4 vBorder;
flat in vec4 vRest;
out vec4 outColor;

// Signed distance in pixels to a rounded rectangle around the origin, negative inside.
float distanceTo(vec2 at, vec2 halfSize, float radius) {
  vec2 q = abs(at) - halfSize + radius;
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
}

// The `over` operator for premultiplied colours.
vec4 over(vec4 top, vec4 below) { return top + below * (1.0 - top.a); }
vec4 premultiplied(vec4 c, float coverage) { return vec4(c.rgb, 1.0) * (c.a * coverage); }

void main() {
  float d = distanceTo(vAt, vHalf, vShape.x);
  float inside = clamp(0.5 - d, 0.0, 1.0);
  // y grows downward: the filled part is at the bottom.
  float edge = vHalf.y - 2.0 * vHalf.y * vShape.w;
  float filled = clamp(vAt.y - edge + 0.5, 0.0, 1.0);
  vec4 color = premultiplied(mix(vRest, vFill, filled), inside);
  // Interpolating straight colours towards a transparent one would darken them, so the other colour
  // is used.
  if (vShape.w >= 1.0) color = premultiplied(vFill, inside);

  if (vShape.y > 0.0) {
    float band = inside * clamp(d + vShape.y + 0.5, 0.0, 1.0);
    if (vDash > 0.0) band *= step(0.5, fract((vAt.x + vAt.y) / (9.0 * vDash)));
    color = over(premultiplied(vBorder, band), color);
  }
  if (vShape.z > 0.0 && d > 0.0) {
    float halo = exp(-3.0 * d * d / (vShape.z * vShape.z)) * 0.55 * (1.0 - inside);
    color += premultiplied(vBorder, halo) * (1.0 - color.a);
  }
  outColor = color;
}
