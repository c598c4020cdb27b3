#version 330 core
// SPDX-License-Identifier: Apache-2.0
// One instance is one rounded rectangle; see RectInstance in src/gfx/layers.h.
layout(location = 0) in vec4 aBox;     // world: x, y, width, height
layout(location = 1) in vec4 aShape;   // radius share, radius px, inset px, border px
layout(location = 2) in vec4 aStyle;   // glow px, minimum px, level, dash
layout(location = 3) in float aSnap;
layout(location = 4) in vec4 aFill;
layout(location = 5) in vec4 aBorder;
layout(location = 6) in vec4 aRest;

uniform vec2 uOrigin;    // screen position of world (0, 0), ImGui coordinates
uniform float uZoom;
uniform float uScale;    // framebuffer pixels per ImGui coordinate
uniform vec2 uViewport;  // framebuffer pixels
uniform bool uRing;      // for outlines without their empty inside: a strip of 10 vertices instead of 4

out vec2 vAt;            // pixels from the rectangle's centre, y down
flat out vec2 vHalf;
flat out vec4 vShape;    // radius, border, glow in pixels; level from 0 to 1
flat out float vDash;
flat out vec4 vFill;
flat out vec4 vBorder;
flat out vec4 vRest;

void main() {
  vec2 low = (aBox.xy * uZoom + uOrigin) * uScale;
  vec2 high = ((aBox.xy + aBox.zw) * uZoom + uOrigin) * uScale;
  if (aSnap > 0.5) {
    low = floor(low + 0.5);
    high = floor(high + 0.5);
  }
  vec2 missing = max(vec2(aStyle.y * uScale) - (high - low), 0.0) * 0.5;
  low -= missing;
  high += missing;
  float inset = aShape.z * uScale;
  vec2 size = high - low;
  inset = min(inset, 0.5 * min(size.x, size.y) - 0.5);
  if (aSnap > 0.5) inset = floor(inset + 0.5);
  low += inset;
  high -= inset;

  vHalf = (high - low) * 0.5;
  float shorter = 2.0 * min(vHalf.x, vHalf.y);
  // Corners are rounded only if there is enough space to see it.
  float radius = shorter < 8.0 * uScale ? 0.0 : max(aShape.x * shorter, aShape.y * uScale);
  float border = min(floor(aShape.w * uScale + 0.5), shorter * 0.5);
  // Small filled cells mainly show their value: a plain border is omitted, and a bold one becomes
  // one pixel wide.
  if (aFill.a > 0.0 && shorter < 9.0 * uScale && aShape.w < 1.5) border = 0.0;
  if (aFill.a > 0.0) border = min(border, max(1.0, floor(shorter * 0.15)));
  vShape = vec4(min(radius, 0.5 * shorter), border, aStyle.x * uScale, aStyle.z);
  vDash = aStyle.w * uScale;
  vFill = aFill;
  vBorder = aBorder;
  vRest = aRest;

  float margin = 1.0 + vShape.z;
  if (uRing) {
    // Around the corners in order, alternating between outer and inner vertices.
    int i = (gl_VertexID >> 1) & 3;
    vec2 corner = vec2(i == 1 || i == 2 ? 1.0 : -1.0, i >= 2 ? 1.0 : -1.0);
    vec2 inner = max(vHalf - vShape.y - 0.3 * vShape.x - 1.0, 0.0);
    vAt = corner * ((gl_VertexID & 1) == 0 ? vHalf + margin : inner);
  } else {
    vAt = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * (vHalf + margin);
  }
  vec2 pixel = (low + high) * 0.5 + vAt;
  gl_Position = vec4(pixel.x / uViewport.x * 2.0 - 1.0, 1.0 - pixel.y / uViewport.y * 2.0, 0.0, 1.0);
}
