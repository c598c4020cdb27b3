// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gfx/palette.h"
#include "gfx/renderer.h"

namespace tilestep::tests {

/// A reason why a drawn text cannot be read.
struct TextFault {
  enum class Kind { small, cut, overlap, faint };
  Kind kind = Kind::small;
  std::string panel;  ///< The ImGui window that drew the text.
  std::string
      /// The text, and the number of pixels by which it is too small or cut, or the text that it
      /// overlaps.
      what;
};
[[nodiscard]] const char* nameOf(TextFault::Kind kind);

/// The faults of ImGui's last frame: texts lower than `leastPixels`; texts that a clip rectangle
/// cuts, except at an edge of a region that scrolls in that direction; and texts that overlap
/// without a filled area between them. The frame must have readable glyphs
/// (gfx/drawing/readable_glyphs.h).
[[nodiscard]] std::vector<TextFault> textFaults(float leastPixels);

/// The faults of the last frame without a minimum size, one per line: "window: cut: text (9.0 px)".
[[nodiscard]] std::vector<std::string> unreadableTexts();

/// The texts of the last frame whose contrast with the fills below them (WCAG 2) is under 4.5 : 1.
/// `background`: the colour below all fills. `scenes`: those of the same frame; texts on a matrix's
/// picture, which has many colours, are omitted.
[[nodiscard]] std::vector<TextFault> faintTexts(gfx::Color background,
                                                const std::vector<gfx::SceneCall>& scenes);

}  // namespace tilestep::tests
