// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace tilestep::gfx {

/// Straight (not premultiplied) sRGB with alpha, 8 bits each.
struct Color {
  uint8_t r = 0, g = 0, b = 0, a = 255;
  bool operator==(const Color&) const = default;
};

/// 0xRRGGBB, opaque.
[[nodiscard]] constexpr Color rgb(uint32_t hex) {
  return {uint8_t(hex >> 16), uint8_t(hex >> 8), uint8_t(hex), 255};
}
/// The same colour with its alpha replaced; alpha in 0..1.
[[nodiscard]] Color withAlpha(Color color, float alpha);
/// From a to b, t in 0..1, in sRGB.
[[nodiscard]] Color mix(Color a, Color b, float t);
/// Relative luminance (WCAG 2), 0..1.
[[nodiscard]] float luminance(Color color);
/// As 0xAABBGGRR, which ImGui's draw list takes (IM_COL32).
[[nodiscard]] constexpr uint32_t packed(Color c) {
  return uint32_t{c.r} | uint32_t{c.g} << 8 | uint32_t{c.b} << 16 | uint32_t{c.a} << 24;
}

/// Every colour of the scene and, for one look, of the panels around it.
struct Palette {
  Color background;  ///< Behind everything.
  Color surface;     ///< Behind a panel, and an empty cell.
  Color line;        ///< Thin lines: cell grid, outlines.
  Color strongLine;  ///< Tile grid, axes.
  Color text;
  Color mutedText;
  Color accent;      ///< Means "now", everywhere and only that.
  Color accentText;  ///< Text on an accent fill.
  Color chosen;      ///< The chosen block (neutral: chosen is not now).
  Color warning;
  /// Okabe and Ito's colours in an order where neighbours differ most; index = warp % 8.
  std::array<Color, 8> categories;
  bool dark = true;
  bool highContrast = false;  ///< Thicker outlines, no dimming below readable.

  [[nodiscard]] Color category(int index) const;
  bool operator==(const Palette&) const = default;
};

[[nodiscard]] Palette darkPalette();
[[nodiscard]] Palette lightPalette();
[[nodiscard]] Palette highContrastPalette();

/// A perceptually even, colour-blind-safe map (cividis, as our own polynomial fit); t in 0..1.
[[nodiscard]] Color valueColor(float t);
/// The polynomial itself, which the shaders evaluate: red, green, blue by power of t, from 0 to 5.
using ColorMap = std::array<std::array<float, 3>, 6>;
[[nodiscard]] const ColorMap& colorMap();
/// Black or white, whichever reads better on `fill`.
[[nodiscard]] Color textOn(Color fill);

}  // namespace tilestep::gfx
