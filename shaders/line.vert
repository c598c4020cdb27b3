#version 330 core
// SPDX-License-Identifier: Apache-2.0
// One instance is one line with an optional arrow head; see LineInstance in src/gfx/layers.h.
layout(location = 0) in vec4 aEnds;   // world: from x, y, to x, y
layout(location = 1) in vec3 aShape;  // width px, length and width of the arrow head px
layout(location = 2) in vec2 aEnd;    // px omitted at the start, and px added beyond the end
layout(location = 3) in vec4 aColor;

uniform vec2 uOrigin;
uniform float uShare;     // the fraction omitted at the start of the line
uniform float uZoom;
uniform float uScale;
uniform vec2 uViewport;

out vec2 vAt;             // pixels along the line from its start, and across it
flat out float vLength;
flat out vec3 vShape;     // half the width, the head's length and half its width; pixels
flat out vec4 vColor;

void main() {
  vec2 from = (mix(aEnds.xy, aEnds.zw, uShare) * uZoom + uOrigin) * uScale;
  vec2 to = (aEnds.zw * uZoom + uOrigin) * uScale;
  vec2 way = to - from;
  vec2 along = way / max(length(way), 0.001);
  from += along * aEnd.x * uScale;
  vLength = max(length(way) + (aEnd.y - aEnd.x) * uScale, 0.001);
  vec2 across = vec2(-along.y, along.x);
  vShape = vec3(max(aShape.x * uScale, 1.0) * 0.5, min(aShape.y * uScale, vLength),
                aShape.z * uScale * 0.5);
  vColor = aColor;
  float reach = max(vShape.x, vShape.z) + 1.0;
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vAt = vec2(mix(-1.0, vLength + 1.0, corner.x), (corner.y * 2.0 - 1.0) * reach);
  vec2 pixel = from + along * vAt.x + across * vAt.y;
  gl_Position = vec4(pixel.x / uViewport.x * 2.0 - 1.0, 1.0 - pixel.y / uViewport.y * 2.0, 0.0, 1.0);
}
