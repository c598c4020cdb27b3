// SPDX-License-Identifier: Apache-2.0
#include "gfx/palette.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tilestep::gfx::palette_test {

float lightness(float luminanceY) {
  return 116 * std::cbrt(luminanceY) - 16;
}

TEST(ValueColor, LightnessRisesEvenly) {
  // From t = 0.1 on, where CIELAB's cube root holds.
  for (int i = 2; i < 20; ++i) {
    const float step = lightness(luminance(valueColor(float(i + 1) / 20))) -
                       lightness(luminance(valueColor(float(i) / 20)));
    EXPECT_NEAR(step, 79.0 / 20, 0.9) << "at " << i;
  }
}

TEST(ValueColor, LooksTheSameWithoutRedGreenVision) {
  // Blue decreases relative to the mean of red and green along the whole scale. This difference
  // remains visible without red-green vision.
  float last = 1e9F;
  for (int i = 0; i <= 20; ++i) {
    const Color c = valueColor(float(i) / 20);
    const float blueness = float(c.b) - (float(c.r) + float(c.g)) / 2;
    EXPECT_LT(blueness, last + 6) << "at " << i;
    last = blueness;
  }
  EXPECT_LT(last, -100);
}

TEST(ValueColor, ClampsOutsideItsRange) {
  EXPECT_EQ(valueColor(-3), valueColor(0));
  EXPECT_EQ(valueColor(7), valueColor(1));
}

TEST(Palette, TextAndAccentCanBeReadOnEveryTheme) {
  for (const Palette& p : {darkPalette(), lightPalette(), highContrastPalette(), printPalette()}) {
    EXPECT_GE(contrast(p.text, p.background), 12);
    EXPECT_GE(contrast(p.mutedText, p.background), 4.5);
    EXPECT_GE(contrast(p.accent, p.background), 4.5);
    EXPECT_GE(contrast(p.accentText, p.accent), 4.5);
  }
}

TEST(Palette, EveryTextContrastsWithItsBackground) {
  for (const Palette& p : {darkPalette(), lightPalette(), highContrastPalette()}) {
    SCOPED_TRACE(testing::Message() << "on " << std::hex << packed(p.background));
    for (const Color below : {p.background, p.surface, mix(p.surface, p.text, 0.07F)})
      for (const Color text : {p.text, p.mutedText, p.warning})
        EXPECT_GE(contrast(text, below), kLeastContrast) << packed(text) << " on " << packed(below);
    EXPECT_GE(contrast(textOn(p.warning), p.warning), kLeastContrast);
    EXPECT_GE(contrast(p.text, mix(p.surface, p.text, 0.22F)),
              kLeastContrast);  // A pressed button.
    for (const Color& category : p.categories) {
      EXPECT_GE(contrast(inkOf(category, p), p.surface), kLeastContrast);
      EXPECT_GE(contrast(inkOf(category, p), p.background), kLeastContrast);
    }
    for (int kind = 0; kind < 3;
         ++kind)  // The scrubber's segments, both the current one and the others.
      for (const float share : {0.28F, 0.5F})
        EXPECT_GE(contrast(p.text, mix(p.surface, p.category(kind), share)), kLeastContrast)
            << kind << " " << share;
  }
}

TEST(Palette, NoCategoryIsTheAccent) {
  for (const Palette& p : {darkPalette(), lightPalette(), highContrastPalette(), printPalette()})
    for (const Color& c : p.categories) {
      const int distance =
          std::abs(c.r - p.accent.r) + std::abs(c.g - p.accent.g) + std::abs(c.b - p.accent.b);
      EXPECT_GT(distance, 90);
    }
}

TEST(Palette, PrintedCategoriesDifferInGreyAndFromThePaper) {
  const Palette p = printPalette();
  EXPECT_EQ(p.background, rgb(0xFFFFFF));
  std::vector<float> lightnesses;
  for (const Color& colour : p.categories) {
    EXPECT_GE(contrast(colour, p.background), 3);
    lightnesses.push_back(lightness(luminance(colour)));
  }
  std::ranges::sort(lightnesses);
  for (size_t i = 1; i < lightnesses.size(); ++i) EXPECT_GT(lightnesses[i] - lightnesses[i - 1], 4);
}

TEST(Color, TextOnFillIsReadable) {
  for (int i = 0; i <= 20; ++i) {
    const Color fill = valueColor(float(i) / 20);
    EXPECT_GE(contrast(textOn(fill), fill), 4.5F) << "at " << i;
  }
}

}  // namespace tilestep::gfx::palette_test
