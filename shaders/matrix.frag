#version 330 core
// SPDX-License-Identifier: Apache-2.0
// Cells of a matrix: colour by value, strength by focus, gaps or grid lines by size on screen.
in vec2 vPixel;
out vec4 outColor;

uniform vec4 uBox;
uniform vec2 uCells;         // columns, rows
uniform vec2 uTileGrid;      // columns, rows between tile lines; 0 for none
uniform float uScale;
uniform sampler2D uValues;   // red: value in 0..1 where written, green: 1 where written
uniform bool uHasValues;
uniform sampler2D uColors;   // the colour map, 256 x 1
uniform vec4 uFocus[16];     // left, top, right, bottom in cells
uniform int uFocusCount;
uniform float uDim;
uniform vec3 uSurface;
uniform vec3 uBackground;
uniform vec3 uLine;
uniform vec3 uStrongLine;

float inFocus(vec2 cell) {
  if (uFocusCount == 0) return 1.0;
  for (int i = 0; i < uFocusCount; ++i)
    if (all(greaterThanEqual(cell, uFocus[i].xy)) && all(lessThan(cell, uFocus[i].zw))) return 1.0;
  return 0.0;
}

float roundedDistance(vec2 at, vec2 halfSize, float radius) {
  vec2 q = abs(at) - halfSize + radius;
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
}

void main() {
  vec2 size = uBox.zw - uBox.xy;
  vec2 cellPx = size / uCells;
  vec2 at = (vPixel - uBox.xy) / cellPx;
  vec2 cell = clamp(floor(at), vec2(0.0), uCells - 1.0);
  // A thin frame around the whole, which also shows an empty matrix.
  if (any(lessThan(vPixel, uBox.xy)) || any(greaterThan(vPixel, uBox.zw))) {
    outColor = vec4(uLine, 1.0);
    return;
  }

  float strength = mix(uDim, 1.0, inFocus(cell));
  vec3 empty = uSurface;
  vec3 color = empty;
  float smallest = min(cellPx.x, cellPx.y);
  if (uHasValues) {
    vec2 value = texture(uValues, at / uCells).rg;
    float written = value.g;
    // Averages of far-away cells count written ones only; 255/256 and 1/512 meet texel centres.
    float shade = value.r / max(written, 0.004) * 0.99609375 + 0.001953125;
    vec3 mapped = texture(uColors, vec2(shade, 0.5)).rgb;
    color = mix(empty, mapped, written * strength);
    // Not written yet: faint hatching where cells are large enough for it.
    if (written < 0.5 && smallest > 9.0 * uScale) {
      float stripe = fract((vPixel.x + vPixel.y) / (7.0 * uScale));
      color = mix(empty, uLine, stripe < 0.15 ? 0.7 : 0.0);
    }
  }

  vec2 low = floor(uBox.xy + cell * cellPx + 0.5);
  vec2 high = floor(uBox.xy + (cell + 1.0) * cellPx + 0.5);
  vec2 inCell = floor(vPixel) - low;           // whole pixels from the cell's corner
  float large = 12.0 * uScale;
  if (smallest >= large) {
    float gap = max(1.0, floor(uScale));
    vec2 halfSize = (high - low) * 0.5 - gap * 0.5;
    float radius = clamp(smallest * 0.12, 0.0, 6.0 * uScale);
    float d = roundedDistance(vPixel - (low + high) * 0.5, halfSize, radius);
    color = mix(color, uBackground, clamp(d + 0.5, 0.0, 1.0));
  } else if (smallest >= 4.0 * uScale) {
    float fade = (smallest / uScale - 4.0) / 8.0;
    if (any(lessThan(inCell, vec2(1.0))) && all(greaterThan(cell + inCell, vec2(0.0))))
      color = mix(color, uBackground, 0.35 + 0.6 * fade);
  }

  // Tile lines: told apart by weight, not by colour; they go when tiles get too small to see.
  vec2 tilePx = uTileGrid * cellPx;
  float width = max(1.0, floor((smallest >= large ? 2.0 : 1.0) * uScale));
  for (int axis = 0; axis < 2; ++axis) {
    if (uTileGrid[axis] < 1.0 || tilePx[axis] < 8.0 * uScale) continue;
    float fade = clamp((tilePx[axis] / uScale - 8.0) / 16.0, 0.25, 1.0);
    float line = floor(at[axis] / uTileGrid[axis] + 0.5) * uTileGrid[axis];
    if (line <= 0.0 || line >= uCells[axis]) continue;
    float edge = floor(uBox[axis] + line * cellPx[axis] + 0.5);
    float offset = floor(vPixel[axis]) - edge;
    if (offset >= -floor(width * 0.5) && offset < ceil(width * 0.5))
      color = mix(color, uStrongLine, fade);
  }
  outColor = vec4(color, 1.0);
}
