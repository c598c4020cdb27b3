// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <imgui.h>

#include <optional>

/// Frames that are read instead of shown, for SVG, PDF, web pages and tests. Their fonts have
/// readable glyphs (tilestep::compat::makeReadable), whose texture coordinates encode character and
/// font.
namespace tilestep::gfx {

/// A drawn glyph, before rotation.
struct ReadGlyph {
  ImWchar character = 0;
  int font = 0;             ///< Index of the font in the atlas.
  float left = 0, top = 0;  ///< The upper left corner of the character's cell in its line.
  float advance = 0;        ///< The width of the cell.
  float height = 0;         ///< The height of the line: Dear ImGui's size of the font.
  float angle = 0;          ///< Rotation in radians, clockwise on the screen, about the origin.
};

/// Makes the glyph's character and font readable from its texture coordinates; the glyph then
/// covers its whole cell. `font` is its index in the atlas, and `size` is the line height at which
/// it has its advance.
void makeReadable(ImFontGlyph& glyph, int font, float size);

/// The readable glyph shown by a quad, given three of its corners. A clipped part is restored.
/// Absent if the quad is not a readable glyph.
[[nodiscard]] std::optional<ReadGlyph> readGlyph(const ImDrawVert& topLeft,
                                                 const ImDrawVert& topRight,
                                                 const ImDrawVert& bottomRight);

}  // namespace tilestep::gfx
