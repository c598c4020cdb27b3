// SPDX-License-Identifier: Apache-2.0
#include "support/known_fonts.h"

#include <string_view>
#include <vector>

namespace tilestep::support {
namespace {

/// For all known fonts, because Dear ImGui requests advances only when glyphs are drawn.
struct {
  std::vector<ui::Face> faces;  ///< By the font's place in the atlas.
  float stretch = 1;
} known;

/// A character's advance as a fraction of the font's size, about as in proportional faces.
float advanceOf(int font, ImWchar character) {
  const ImWchar* range = ui::glyphRanges();
  while (range[0] != 0 && (character < range[0] || character > range[1])) range += 2;
  if (range[0] == 0) return 0;
  const ui::Face face = known.faces[static_cast<size_t>(font)];
  if (face == ui::Face::mono) return 0.6F * known.stretch;
  const float scale = known.stretch * (face == ui::Face::strong ? 1.05F : 1);
  const auto isIn = [&](std::string_view characters) {
    return character < 128 &&
           characters.find(static_cast<char>(character)) != std::string_view::npos;
  };
  if (isIn(" ijlI.,:;'|!()[]")) return 0.28F * scale;
  if (isIn("frt-*\"/\\")) return 0.38F * scale;
  if (isIn("mwMW@%")) return 0.86F * scale;
  if (character >= 'A' && character <= 'Z') return 0.68F * scale;
  return 0.58F * scale;
}

}  // namespace

ui::Fonts addKnownFonts(float scale, float leastPixels, float stretch) {
  known = {{}, stretch};
  const auto add = [&](ui::Face face, float pixels) {
    known.faces.push_back(face);
    ImFontConfig config;
    config.SizePixels = pixels;
    return ImGui::GetIO().Fonts->AddFontDefault(&config);
  };
  ui::Fonts fonts = ui::addFontsWith(add, scale, leastPixels);
  compat::makeReadable<advanceOf>(*ImGui::GetIO().Fonts);
  compat::drawWithoutBackend();
  return fonts;
}

}  // namespace tilestep::support
