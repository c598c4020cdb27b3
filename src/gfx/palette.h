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
/// The same colour with another alpha, 0 to 1.
[[nodiscard]] Color withAlpha(Color color, float alpha);
/// Interpolates from a to b in sRGB; t is 0 to 1.
[[nodiscard]] Color mix(Color a, Color b, float t);
/// Relative luminance (WCAG 2), 0 to 1.
[[nodiscard]] float luminance(Color color);
/// The ratio of two opaque colours' luminances (WCAG 2), 1 to 21.
[[nodiscard]] float contrast(Color a, Color b);
/// The minimum contrast of a text with its background.
inline constexpr float kLeastContrast = 4.5F;
/// 0xAABBGGRR, the format of ImGui's draw lists (IM_COL32).
[[nodiscard]] constexpr uint32_t packed(Color c) {
  return uint32_t{c.r} | uint32_t{c.g} << 8 | uint32_t{c.b} << 16 | uint32_t{c.a} << 24;
}

/// All colours of the scene, and of the panels around it, so that they match.
struct Palette {
  Color background;  ///< Behind everything.
  Color surface;     ///< The background of panels.
  Color line;        ///< Thin lines: cell grid, outlines.
  Color strongLine;  ///< Tile grid, axes.
  Color text;
  Color mutedText;
  Color accent;      ///< Marks only the current step, in all views.
  Color accentText;  ///< Text on an accent fill.
  Color chosen;      ///< The chosen block; neutral, because it is not the current step.
  Color warning;
  /// Okabe and Ito's colours, ordered so that neighbours differ most.
  std::array<Color, 8> categories;
  bool dark = true;
  /// Outlines are thicker, and nothing is dimmed so far that it becomes unreadable.
  bool highContrast = false;

  /// A colour of `categories`, which repeat; the muted colour if `index` is negative.
  [[nodiscard]] Color category(int index) const;
  /// The colour of a warp, in the scene and in every view.
  [[nodiscard]] Color warp(int64_t number) const {
    const auto colours = static_cast<int64_t>(categories.size());
    return category(number < 0 ? -1 : static_cast<int>(number % colours));
  }
  bool operator==(const Palette&) const = default;
};

[[nodiscard]] Palette darkPalette();
[[nodiscard]] Palette lightPalette();
[[nodiscard]] Palette highContrastPalette();
/// For paper: dark on white, in the hues of the other palettes. The colours of `categories` differ
/// in lightness, so that they can be told apart when printed in grey.
[[nodiscard]] Palette printPalette();

/// A perceptually uniform colour map that is safe for colour-blind readers (like cividis); t is 0
/// to 1.
[[nodiscard]] Color valueColor(float t);
/// The polynomial behind valueColor, which the shaders evaluate: the coefficients of red, green and
/// blue for each power of t, from 0 to 5.
using ColorMap = std::array<std::array<float, 3>, 6>;
[[nodiscard]] const ColorMap& colorMap();
/// A colour for text on the palette's surface: `color`, mixed with the text's colour as far as
/// kLeastContrast requires.
[[nodiscard]] Color inkOf(Color color, const Palette& palette);
/// Black or white, whichever is more readable on `fill`.
[[nodiscard]] Color textOn(Color fill);

}  // namespace tilestep::gfx
