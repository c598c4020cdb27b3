// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/readable_glyphs.h"

#include <cmath>

#include "gfx/drawing/drawing.h"

namespace tilestep::gfx {
namespace {

/// The part of its cell that a glyph covers: about that of real letters.
constexpr float kLeft = 0.1F, kRight = 0.9F, kTop = 0.2F, kBottom = 0.8F;

/// The texture coordinates of a glyph lie inside a square for its character and font. Coordinates
/// in a real texture end at 1.
constexpr float kFrom = 0.25F, kTo = 0.75F;
constexpr int kFirstFont = 2;

}  // namespace

void makeReadable(ImFontGlyph& glyph, int font, float size) {
  const auto column = static_cast<float>(glyph.Codepoint);
  const auto row = static_cast<float>(kFirstFont + font);
  glyph.X0 = kLeft * glyph.AdvanceX;
  glyph.X1 = kRight * glyph.AdvanceX;
  glyph.Y0 = kTop * size;
  glyph.Y1 = kBottom * size;
  glyph.U0 = column + kFrom;
  glyph.U1 = column + kTo;
  glyph.V0 = row + kFrom;
  glyph.V1 = row + kTo;
}

std::optional<ReadGlyph> readGlyph(const ImDrawVert& topLeft, const ImDrawVert& topRight,
                                   const ImDrawVert& bottomRight) {
  const ImVec2 from = topLeft.uv, to = bottomRight.uv;
  if (from.y < kFirstFont || to.x <= from.x || to.y <= from.y) return std::nullopt;
  const ImVec2 a = topLeft.pos, b = topRight.pos;
  ReadGlyph glyph;
  glyph.angle = a.y == b.y ? 0 : std::atan2(b.y - a.y, b.x - a.x);
  const Point start = turned({a.x, a.y}, -glyph.angle);
  const Point end = turned({bottomRight.pos.x, bottomRight.pos.y}, -glyph.angle);
  // Clipping cuts a quad and its texture coordinates alike.
  const float perU = (end.x - start.x) / (to.x - from.x);
  const float perV = (end.y - start.y) / (to.y - from.y);
  const float column = std::floor(from.x), row = std::floor(from.y);
  glyph.character = static_cast<ImWchar>(column);
  glyph.font = static_cast<int>(row) - kFirstFont;
  glyph.advance = perU * (kTo - kFrom) / (kRight - kLeft);
  glyph.height = perV * (kTo - kFrom) / (kBottom - kTop);
  glyph.left = start.x - perU * (from.x - column - kFrom) - kLeft * glyph.advance;
  glyph.top = start.y - perV * (from.y - row - kFrom) - kTop * glyph.height;
  return glyph;
}

}  // namespace tilestep::gfx
