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
      what;  ///< The text, and by how many pixels it is too small or cut, or on which other.
};
[[nodiscard]] const char* nameOf(TextFault::Kind kind);

/// The faults of the frame that ImGui made last: texts lower than `leastPixels`; texts that a clip
/// rectangle cuts, except by an edge of a region that scrolls that way; texts that lie on
/// each other without a filled area between them. The frame must have readable
/// glyphs (gfx/drawing/readable_glyphs.h).
[[nodiscard]] std::vector<TextFault> textFaults(float leastPixels);

/// The same without a least size, a line for each fault: "window: cut: text (9.0 px)".
[[nodiscard]] std::vector<std::string> unreadableTexts();

/// The texts of that frame whose contrast against the fills below them (WCAG 2) is under 4.5 : 1.
/// `background`: what is below all fills. `scenes`: of the same frame; a text on a matrix's
/// picture, which has many colours, is left out.
[[nodiscard]] std::vector<TextFault> faintTexts(gfx::Color background,
                                                const std::vector<gfx::SceneCall>& scenes);

}  // namespace tilestep::tests
