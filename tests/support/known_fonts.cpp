// SPDX-License-Identifier: Apache-2.0
#include "support/known_fonts.h"

#include <string_view>
#include <vector>

namespace tilestep::support {
namespace {

/// The place of a glyph's ink in its line and in its width, as shares of the font's size.
constexpr float kInkTop = 0.2F, kInkBottom = 0.8F, kInkLeft = 0.1F, kInkRight = 0.9F;

/// A sign's place in the texture tells which one it is. Real places end at 1.
constexpr float kFirst = 2, kSigns = 65536, kFonts = 1024;
constexpr float kBegin = 0.25F,
                kEnd = 0.75F;  ///< Part of the field that belongs to a glyph or font.

/// A glyph's width as a share of the font's size, about as in proportional faces.
float widthOf(ImWchar sign, ui::Face face) {
  if (face == ui::Face::mono) return 0.6F;
  const float strong = face == ui::Face::strong ? 1.05F : 1;
  const auto isIn = [&](std::string_view signs) {
    return sign < 128 && signs.find(static_cast<char>(sign)) != std::string_view::npos;
  };
  if (isIn(" ijlI.,:;'|!()[]")) return 0.28F * strong;
  if (isIn("frt-*\"/\\")) return 0.38F * strong;
  if (isIn("mwMW@%")) return 0.86F * strong;
  if (sign >= 'A' && sign <= 'Z') return 0.68F * strong;
  return 0.58F * strong;
}

#if IMGUI_VERSION_NUM < 19200
/// Every sign that the interface may write.
void fill(ImFont& font, size_t index, ui::Face face, float stretch) {
  const float size = font.FontSize;
  const float v = kFirst + (static_cast<float>(index) + kBegin) / kFonts;
  const float v2 = kFirst + (static_cast<float>(index) + kEnd) / kFonts;
  font.Glyphs.clear();
  font.IndexAdvanceX.clear();
  font.IndexLookup.clear();
  for (const ImWchar* range = ui::glyphRanges(); range[0] != 0; range += 2)
    for (unsigned sign = range[0]; sign <= range[1]; ++sign) {
      const float width = widthOf(static_cast<ImWchar>(sign), face) * stretch * size;
      const float u = kFirst + (static_cast<float>(sign) + kBegin) / kSigns;
      const float u2 = kFirst + (static_cast<float>(sign) + kEnd) / kSigns;
      font.AddGlyph(nullptr, static_cast<ImWchar>(sign), kInkLeft * width, kInkTop * size,
                    kInkRight * width, kInkBottom * size, u, v, u2, v2, width);
    }
  font.BuildLookupTable();
}
#endif

}  // namespace

ui::Fonts addKnownFonts(float scale, float leastPixels, float stretch) {
  std::vector<ui::Face> faces;
  const auto add = [&](ui::Face face, float pixels) {
    faces.push_back(face);
    ImFontConfig config;
    config.SizePixels = pixels;
    return ImGui::GetIO().Fonts->AddFontDefault(&config);
  };
  ui::Fonts fonts = ui::addFontsWith(add, scale, leastPixels);
#if IMGUI_VERSION_NUM < 19200
  for (size_t i = 0; i < faces.size(); ++i)
    fill(*ImGui::GetIO().Fonts->Fonts[static_cast<int>(i)], i, faces[i], stretch);
#else
  (void)stretch;
#endif
  return fonts;
}

}  // namespace tilestep::support
