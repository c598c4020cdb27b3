// SPDX-License-Identifier: Apache-2.0
#include "gfx/palette.h"

#include <algorithm>
#include <cmath>

namespace tilestep::gfx {
namespace {

uint8_t byteOf(float x) {
  return uint8_t(std::lround(std::clamp(x, 0.0F, 1.0F) * 255));
}

float linear(uint8_t channel) {
  const float c = float(channel) / 255;
  return c <= 0.04045F ? c / 12.92F : std::pow((c + 0.055F) / 1.055F, 2.4F);
}

// A path through CIELAB from navy through grey to yellow with L* rising evenly from 14 to 93 (like
// cividis, it looks the same without red-green vision). A least-squares polynomial of degree 5 per
// channel approximates it; its steps in L* differ from equal steps by at most 6 %.
constexpr ColorMap kColorMap = {{{-0.0225F, 0.1324F, 0.3352F},
                                 {1.2964F, 0.6656F, 0.5380F},
                                 {-0.9927F, 0.1772F, -0.2785F},
                                 {1.3429F, -0.0929F, -0.8074F},
                                 {-0.6371F, 0.0613F, 1.0680F},
                                 {0.0239F, -0.0154F, -0.5644F}}};

// Okabe and Ito (2008), ordered so that neighbours differ in hue and in lightness; reddish purple
// comes last because it is nearest to the accent.
constexpr std::array<Color, 8> kOkabeIto = {rgb(0x56B4E9), rgb(0xE69F00), rgb(0x009E73),
                                            rgb(0xF0E442), rgb(0x0072B2), rgb(0xD55E00),
                                            rgb(0x999999), rgb(0xCC79A7)};

}  // namespace

Color withAlpha(Color color, float alpha) {
  color.a = byteOf(alpha);
  return color;
}

Color mix(Color a, Color b, float t) {
  const auto between = [t](uint8_t x, uint8_t y) {
    return byteOf((float(x) + (float(y) - float(x)) * t) / 255);
  };
  return {between(a.r, b.r), between(a.g, b.g), between(a.b, b.b), between(a.a, b.a)};
}

float luminance(Color color) {
  return 0.2126F * linear(color.r) + 0.7152F * linear(color.g) + 0.0722F * linear(color.b);
}

float contrast(Color a, Color b) {
  const float x = luminance(a) + 0.05F, y = luminance(b) + 0.05F;
  return std::max(x, y) / std::min(x, y);
}

Color Palette::category(int index) const {
  return index < 0 ? mutedText : categories[size_t(index) % categories.size()];
}

Palette darkPalette() {
  return {.background = rgb(0x0F1318),
          .surface = rgb(0x171C23),
          .line = rgb(0x3A4350),
          .strongLine = rgb(0x76828F),
          .text = rgb(0xEDF1F5),
          .mutedText = rgb(0x9AA6B3),
          .accent = rgb(0xFF4D8D),
          .accentText = rgb(0x0F1318),
          .chosen = rgb(0xEDF1F5),
          .warning = rgb(0xE69F00),
          .categories = kOkabeIto,
          .dark = true};
}

Palette lightPalette() {
  std::array<Color, 8> categories = kOkabeIto;
  // Okabe and Ito's yellow is too light on white; this is a darker shade.
  categories[3] = rgb(0xB3A500);
  return {.background = rgb(0xFBFBF9),
          .surface = rgb(0xF0F1EE),
          .line = rgb(0xC3C8CC),
          .strongLine = rgb(0x77808A),
          .text = rgb(0x14181D),
          .mutedText = rgb(0x56606B),
          .accent = rgb(0xD3125F),
          .accentText = rgb(0xFFFFFF),
          .chosen = rgb(0x14181D),
          .warning = rgb(0x8A5200),
          .categories = categories,
          .dark = false};
}

Palette highContrastPalette() {
  return {.background = rgb(0x000000),
          .surface = rgb(0x0A0A0A),
          .line = rgb(0x8A8A8A),
          .strongLine = rgb(0xE0E0E0),
          .text = rgb(0xFFFFFF),
          .mutedText = rgb(0xD8D8D8),
          .accent = rgb(0xFF5C96),
          .accentText = rgb(0x000000),
          .chosen = rgb(0xFFFFFF),
          .warning = rgb(0xFFC04D),
          .categories = kOkabeIto,
          .dark = true,
          .highContrast = true};
}

Palette printPalette() {
  // L* of the categories: 60, 50, 40, 55, 25, 45, 35, 30; all stand out from white.
  return {.background = rgb(0xFFFFFF),
          .surface = rgb(0xF4F4F4),
          .line = rgb(0xB4B8BC),
          .strongLine = rgb(0x5E666E),
          .text = rgb(0x000000),
          .mutedText = rgb(0x40464C),
          .accent = rgb(0xC50056),
          .accentText = rgb(0xFFFFFF),
          .chosen = rgb(0x000000),
          .warning = rgb(0xA56200),
          .categories = {rgb(0x339ACD), rgb(0xA06D01), rgb(0x006C4D), rgb(0x918600), rgb(0x003E64),
                         rgb(0xB14D00), rgb(0x525252), rgb(0x762A58)},
          .dark = false};
}

Color valueColor(float t) {
  const float x = std::clamp(t, 0.0F, 1.0F);
  std::array<float, 3> sum{};
  for (size_t power = kColorMap.size(); power-- > 0;)
    for (size_t i = 0; i < 3; ++i) sum[i] = sum[i] * x + kColorMap[power][i];
  return {byteOf(sum[0]), byteOf(sum[1]), byteOf(sum[2]), 255};
}

const ColorMap& colorMap() {
  return kColorMap;
}

Color inkOf(Color color, const Palette& palette) {
  constexpr int kSteps = 20;
  for (int i = 0; i < kSteps; ++i) {
    const Color ink = mix(color, palette.text, float(i) / kSteps);
    if (contrast(ink, palette.surface) >= kLeastContrast) return ink;
  }
  return palette.text;
}

Color textOn(Color fill) {
  return luminance(fill) > 0.179F ? rgb(0x000000) : rgb(0xFFFFFF);
}

}  // namespace tilestep::gfx
