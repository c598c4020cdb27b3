#version 330 core
// SPDX-License-Identifier: Apache-2.0
// A matrix whose cells are smaller than a dozen pixels. Larger cells are drawn by cells.vert.
in vec2 vPixel;
flat in float vStrength;
flat in ivec2 vTexels;
flat in int vLevel;
out vec4 outColor;

uniform vec4 uBox;
uniform vec2 uCells;
uniform vec4 uArea;         // the part that the texture covers, in cells: left, top, right, bottom
uniform bool uAbsent;       // if true, unwritten cells were never computed
uniform vec2 uTileGrid;     // columns, rows between tile lines; more than the matrix if it has none
uniform vec2 uTileFade;     // strength of the tile lines across x and y
uniform float uScale;
uniform sampler2D uValues;  // red: value from 0 to 1 if written; green: 1 if written
uniform vec3 uSurface;
uniform vec3 uBackground;
uniform vec3 uLine;
uniform vec3 uStrongLine;
uniform vec3 uColorMap[6];  // coefficients of a polynomial, constant first

void main() {
  vec2 cellPx = (uBox.zw - uBox.xy) / uCells;
  vec2 at = (vPixel - uBox.xy) / cellPx;
  vec2 cell = floor(at);
  vec2 within = (at - uArea.xy) / (uArea.zw - uArea.xy);
  ivec2 texel = clamp(ivec2(within * vec2(vTexels)), ivec2(0), vTexels - 1);
  vec2 value = texelFetch(uValues, texel, vLevel).rg;
  // Averages of distant cells include only the written ones.
  float t = value.r / max(value.g, 0.004);
  vec3 mapped = ((((uColorMap[5] * t + uColorMap[4]) * t + uColorMap[3]) * t + uColorMap[2]) * t +
                 uColorMap[1]) * t + uColorMap[0];
  vec3 color = mix(uSurface, mapped, value.g * vStrength);
  if (uAbsent && value.g < 0.5) {
    // Broad falling stripes mark cells that have no value and will get none.
    float stripe = step(fract((gl_FragCoord.x + gl_FragCoord.y) / (12.0 * uScale)), 0.25);
    color = mix(color, uLine, 0.55 * stripe);
  }

  // Grid lines fade out before they are too dense to distinguish.
  float fade = (min(cellPx.x, cellPx.y) / uScale - 4.0) / 8.0;
  vec2 inCell = floor(vPixel) - floor(uBox.xy + cell * cellPx + 0.5);
  color = mix(color, uBackground,
              step(min(inCell.x, inCell.y), 0.5) * step(0.0, fade) * (0.35 + 0.6 * fade));

  // Tile lines differ from grid lines by weight, not by colour.
  vec2 tileLine = floor(at / uTileGrid + 0.5) * uTileGrid;
  vec2 offset = floor(vPixel) - floor(uBox.xy + tileLine * cellPx + 0.5);
  vec2 on = step(abs(offset), vec2(0.25)) * step(0.5, tileLine) * step(tileLine, uCells - 0.5) *
            uTileFade;
  color = mix(color, uStrongLine, max(on.x, on.y));

  // A thin frame around the whole matrix, which also shows an empty matrix.
  bool frame = any(lessThan(vPixel, uBox.xy)) || any(greaterThan(vPixel, uBox.zw));
  outColor = vec4(frame ? uLine : color, 1.0);
}
