// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <imgui.h>

#include <optional>

/// Some frames are drawn to be read, not to be shown: those that become SVG, PDF or web pages, and
/// those of tests. Their fonts have readable glyphs (tilestep::compat::makeReadable), which carry
/// their character and font in place of coordinates in the fonts' texture.
namespace tilestep::gfx {

/// A glyph as it was drawn. Places are those before its line was turned.
struct ReadGlyph {
  ImWchar character = 0;
  int font = 0;             ///< Among the fonts of the atlas.
  float left = 0, top = 0;  ///< Of the cell of the character in its line.
  float advance = 0;        ///< The width of the cell.
  float height = 0;         ///< The height of the line: Dear ImGui's size of the font.
  float angle = 0;          ///< Radians, clockwise on the screen, about the origin.
};

/// Makes a glyph readable that has its character and its advance. `font`: its place in the atlas;
/// `size`: the height of a line at which it has this advance. The glyph then covers its cell.
void makeReadable(ImFontGlyph& glyph, int font, float size);

/// The readable glyph that a quad shows, given three of its corners. A part that a clip rectangle
/// has cut off is restored. Nothing if the quad is not a readable glyph.
[[nodiscard]] std::optional<ReadGlyph> readGlyph(const ImDrawVert& topLeft,
                                                 const ImDrawVert& topRight,
                                                 const ImDrawVert& bottomRight);

}  // namespace tilestep::gfx
