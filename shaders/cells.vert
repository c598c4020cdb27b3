#version 330 core
// SPDX-License-Identifier: Apache-2.0
// A matrix whose cells are large enough to be seen individually. An instance is one visible cell.
// Its value is read here, once per cell instead of once per pixel, which makes this cheap on CPUs.
uniform vec4 uBox;        // framebuffer pixels: left, top, right, bottom
uniform vec2 uCells;      // columns, rows
uniform vec4 uArea;       // the part that the texture covers, in cells: left, top, right, bottom
uniform ivec4 uVisible;   // first column, first row, columns, rows
uniform sampler2D uValues;  // red: value from 0 to 1 if written; green: 1 if written
uniform vec4 uFocus[16];  // left, top, right, bottom in cells
uniform int uFocusCount;
uniform float uDim;
uniform float uScale;
uniform vec2 uViewport;
uniform vec3 uSurface;
uniform vec3 uLine;
uniform vec3 uColorMap[6];  // coefficients of a polynomial, constant first

out vec2 vAt;             // pixels from the cell's centre
flat out vec2 vHalf;
flat out float vRadius;
flat out vec3 vColor;
flat out vec3 vHatch;     // equal to vColor if written

void main() {
  ivec2 cell = uVisible.xy + ivec2(gl_InstanceID % uVisible.z, gl_InstanceID / uVisible.z);
  vec2 at = vec2(cell);
  ivec2 texels = textureSize(uValues, 0);
  vec2 within = (at + 0.5 - uArea.xy) / (uArea.zw - uArea.xy);
  vec2 value = texelFetch(uValues, min(ivec2(within * vec2(texels)), texels - 1), 0).rg;
  float t = value.r / max(value.g, 0.004);
  vec3 mapped = uColorMap[5];
  for (int i = 4; i >= 0; --i) mapped = mapped * t + uColorMap[i];

  float strength = uFocusCount == 0 ? 1.0 : uDim;
  for (int i = 0; i < uFocusCount; ++i)
    if (all(greaterThanEqual(at, uFocus[i].xy)) && all(lessThan(at, uFocus[i].zw))) strength = 1.0;
  vColor = mix(uSurface, clamp(mapped, 0.0, 1.0), value.g * strength);
  vHatch = value.g < 0.5 ? mix(vColor, uLine, 0.75) : vColor;

  vec2 cellPx = (uBox.zw - uBox.xy) / uCells;
  vec2 low = floor(uBox.xy + at * cellPx + 0.5);
  vec2 high = floor(uBox.xy + (at + 1.0) * cellPx + 0.5);
  float gap = max(1.0, floor(uScale));
  high -= gap;            // the gap is on the right and below, so that edges stay on whole pixels
  vHalf = (high - low) * 0.5;
  vRadius = min(min(vHalf.x, vHalf.y) * 0.24, 6.0 * uScale);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vAt = corner * vHalf;
  vec2 pixel = (low + high) * 0.5 + vAt;
  gl_Position = vec4(pixel.x / uViewport.x * 2.0 - 1.0, 1.0 - pixel.y / uViewport.y * 2.0, 0.0, 1.0);
}
