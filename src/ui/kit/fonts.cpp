// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/fonts.h"

#include <fontconfig/fontconfig.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <utility>

namespace tilestep::ui {
namespace {

/// The glyphs that the interface uses beyond Latin-1: – — ‘ ’ “ ” • … → ÷ × ≤ ≥ ⌈ ⌉ Greek and
/// superscripts.
constexpr std::array<ImWchar, 17> kRanges{0x20,   0xff,   0x394,  0x3c9,  0x2010, 0x2026,
                                          0x2070, 0x2089, 0x2190, 0x2193, 0x2208, 0x221a,
                                          0x2248, 0x2265, 0x2308, 0x230b, 0};

/// ASCII replacements for glyphs that ImGui's own font does not have. "…" becomes "-", because
/// "0..7" or "0.7" could be read as a decimal number.
constexpr std::array<std::pair<ImWchar, ImWchar>, 13> kLookAlikes{{{0x2013, '-'},
                                                                   {0x2014, '-'},
                                                                   {0x2018, '\''},
                                                                   {0x2019, '\''},
                                                                   {0x201c, '"'},
                                                                   {0x201d, '"'},
                                                                   {0x2022, '*'},
                                                                   {0x2026, '-'},
                                                                   {0x2190, '<'},
                                                                   {0x2192, '>'},
                                                                   {0x2248, '~'},
                                                                   {0x2264, '<'},
                                                                   {0x2265, '>'}}};

/// The file of the first family that is installed. The check is needed because fontconfig returns a
/// substitute for a family that is not installed.
std::string find(std::initializer_list<const char*> families, int weight, bool mono) {
  for (const char* family : families) {
    FcPattern* pattern = FcPatternCreate();
    FcPatternAddString(pattern, FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
    FcPatternAddInteger(pattern, FC_WEIGHT, weight);
    FcPatternAddInteger(pattern, FC_SLANT, FC_SLANT_ROMAN);
    if (mono) FcPatternAddInteger(pattern, FC_SPACING, FC_MONO);
    FcConfigSubstitute(nullptr, pattern, FcMatchPattern);
    FcDefaultSubstitute(pattern);
    FcResult result = FcResultNoMatch;
    FcPattern* match = FcFontMatch(nullptr, pattern, &result);
    FcPatternDestroy(pattern);
    if (match == nullptr) continue;
    FcChar8* got = nullptr;
    FcChar8* file = nullptr;
    std::string path;
    const bool same = FcPatternGetString(match, FC_FAMILY, 0, &got) == FcResultMatch &&
                      FcStrCmpIgnoreCase(got, reinterpret_cast<const FcChar8*>(family)) == 0;
    if (same && FcPatternGetString(match, FC_FILE, 0, &file) == FcResultMatch)
      path = reinterpret_cast<const char*>(file);
    FcPatternDestroy(match);
    if (!path.empty()) return path;
  }
  return {};
}

ImFont* addFont(const std::string& file, const std::string& fallback, float pixels) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  if (!isDrawable(file)) {
    ImFontConfig config;
    config.SizePixels = std::round(pixels * 13 / 16);  // The built-in font's design size is 13.
    return atlas.AddFontDefault(&config);
  }
  ImFontConfig config;
  config.OversampleH = pixels < 30 ? 2 : 1;  // Large type is sharp enough without oversampling.
  config.OversampleV = 1;
  ImFont* font = atlas.AddFontFromFileTTF(file.c_str(), pixels, &config, kRanges.data());
  if (isDrawable(fallback) && fallback != file) {
    config.MergeMode = true;
    atlas.AddFontFromFileTTF(fallback.c_str(), pixels, &config, kRanges.data());
  }
  return font;
}

}  // namespace

const ImWchar* glyphRanges() {
  return kRanges.data();
}

bool isDrawable(const std::string& file) {
  return file.ends_with(".ttf") || file.ends_with(".otf");
}

FontFiles findFontFiles() {
  FontFiles files;
  if (!FcInit()) return files;
  files.text = find({"Inter", "Noto Sans", "DejaVu Sans"}, FC_WEIGHT_REGULAR, false);
  files.strong = find({"Inter", "Noto Sans", "DejaVu Sans"}, FC_WEIGHT_DEMIBOLD, false);
  files.mono =
      find({"JetBrains Mono", "DejaVu Sans Mono", "Noto Sans Mono"}, FC_WEIGHT_REGULAR, true);
  files.fallback = find({"DejaVu Sans"}, FC_WEIGHT_REGULAR, false);
  return files;
}

Fonts addFontsWith(const AddFont& add, float scale, float leastPixels) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  const auto pixels = [&](float atScale1) {
    return std::max(std::round(atScale1 * scale), std::ceil(leastPixels));
  };
  Fonts fonts;
  fonts.leastPixels = leastPixels;
  fonts.textPixels = pixels(16);
  fonts.largePixels = pixels(20);
  fonts.smallPixels = pixels(13);
  fonts.text = add(Face::text, fonts.textPixels);
  fonts.strong = add(Face::strong, fonts.textPixels);
  fonts.large = add(Face::text, fonts.largePixels);
  fonts.mono = add(Face::mono, pixels(14));
  fonts.monoSmall = add(Face::mono, pixels(12));
  fonts.small = add(Face::text, fonts.smallPixels);
  fonts.labels.text = {fonts.small, fonts.text, fonts.large};
  fonts.labels.strong = {fonts.strong};
  ImGui::GetIO().FontDefault = fonts.text;
  compat::buildFonts(atlas);
  for (ImFont* font : atlas.Fonts)
    for (const auto& [sign, like] : kLookAlikes) compat::remap(*font, sign, like);
  return fonts;
}

Fonts addFonts(const FontFiles& files, float scale, float leastPixels, float density) {
  const float finer = compat::kGlyphsOnDemand ? 1 : density;
  const auto add = [&](Face face, float pixels) {
    const std::string& file = face == Face::mono     ? files.mono
                              : face == Face::strong ? files.strong
                                                     : files.text;
    return addFont(file, files.fallback, pixels * finer);
  };
  Fonts fonts = addFontsWith(add, scale, leastPixels);
  for (ImFont* font : ImGui::GetIO().Fonts->Fonts) compat::shrink(*font, finer);
  return fonts;
}

}  // namespace tilestep::ui
