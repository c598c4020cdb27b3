#version 330 core
// SPDX-License-Identifier: Apache-2.0
// Instance 0 is the whole matrix, or a part of it in finer detail, dimmed if there is a focus. The
// other instances are focus areas at full strength on top of it. The fragment shader does
// everything else.
uniform vec4 uBox;        // framebuffer pixels: left, top, right, bottom
uniform vec4 uArea;       // the part that the texture covers, in cells: left, top, right, bottom
uniform vec2 uCells;      // columns, rows
uniform vec4 uFocus[16];  // left, top, right, bottom in cells
uniform float uDim;
uniform vec2 uViewport;
uniform sampler2D uValues;
uniform int uLevels;      // levels of detail that the texture has
out vec2 vPixel;          // framebuffer pixels from the viewport's upper left corner
flat out float vStrength;
flat out ivec2 vTexels;   // size of the level of detail that suits this size on screen
flat out int vLevel;

void main() {
  // One level for the whole matrix: the one whose texels are about a pixel wide.
  vec2 cellPx = (uBox.zw - uBox.xy) / uCells;
  vec2 perPixel = vec2(textureSize(uValues, 0)) / ((uArea.zw - uArea.xy) * cellPx);
  float level = floor(log2(max(max(perPixel.x, perPixel.y), 1.0)) + 0.5);
  vLevel = int(min(level, float(uLevels - 1)));
  vTexels = textureSize(uValues, vLevel);

  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 low = uBox.xy - 1.0;   // space for the frame
  vec2 high = uBox.zw + 1.0;
  vStrength = uDim;
  if (gl_InstanceID > 0) {
    vec4 focus = uFocus[gl_InstanceID - 1];
    low = floor(uBox.xy + focus.xy * cellPx + 0.5);
    high = floor(uBox.xy + focus.zw * cellPx + 0.5);
    vStrength = 1.0;
  }
  // A part of the matrix does not cover the rest of the matrix or the frame.
  vec2 first = floor(uBox.xy + uArea.xy * cellPx + 0.5);
  vec2 last = floor(uBox.xy + min(uArea.zw, uCells) * cellPx + 0.5);
  bool whole = all(equal(uArea, vec4(0.0, 0.0, uCells)));
  if (!whole) low = max(low, first);
  if (!whole) high = max(low, min(high, last));
  vPixel = mix(low, high, corner);
  gl_Position = vec4(vPixel.x / uViewport.x * 2.0 - 1.0, 1.0 - vPixel.y / uViewport.y * 2.0, 0.0, 1.0);
}
