// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilestep::support {

/// A piece of text on one line, as drawn in a frame, without the clipped part.
struct DrawnText {
  std::string panel;                               ///< The ImGui window that drew it.
  std::string text;                                ///< UTF-8.
  float left = 0, top = 0, right = 0, height = 0;  ///< Pixels; `height` is the font's size.
};

/// The texts of ImGui's last frame, in drawing order. The frame must use the known fonts
/// (known_fonts.h).
[[nodiscard]] std::vector<DrawnText> drawnTexts();

}  // namespace tilestep::support
