// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/readable_glyphs.h"

#include <cmath>

#include "gfx/drawing/drawing.h"

namespace tilestep::gfx {
namespace {

/// A glyph's texture coordinates are inside a square that encodes its character and font. The
/// coordinates in a real texture are at most 1.
constexpr float kFrom = 0.25F, kTo = 0.75F;
constexpr int kFirstFont = 2;

}  // namespace

void makeReadable(ImFontGlyph& glyph, int font, float size) {
  const auto column = static_cast<float>(glyph.Codepoint);
  const auto row = static_cast<float>(kFirstFont + font);
  glyph.X0 = glyph.Y0 = 0;
  glyph.X1 = glyph.AdvanceX;
  glyph.Y1 = size;
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
  // Clipping cuts a quad and its texture coordinates equally.
  const float perU = (end.x - start.x) / (to.x - from.x);
  const float perV = (end.y - start.y) / (to.y - from.y);
  const float column = std::floor(from.x), row = std::floor(from.y);
  glyph.character = static_cast<ImWchar>(column);
  glyph.font = static_cast<int>(row) - kFirstFont;
  glyph.advance = perU * (kTo - kFrom);
  glyph.height = perV * (kTo - kFrom);
  glyph.left = start.x - perU * (from.x - column - kFrom);
  glyph.top = start.y - perV * (from.y - row - kFrom);
  return glyph;
}

}  // namespace tilestep::gfx
