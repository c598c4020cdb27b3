// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::gfx {

/// A monitor as its driver describes it; a size of 0 is unknown.
struct Display {
  float contentScale = 1;
  int width = 0, height = 0;      ///< Pixels.
  int widthMm = 0, heightMm = 0;  ///< Many projectors and virtual displays have a wrong size.
};
/// Returns the content scale if it is not 1, because the user or the desktop has set it. Otherwise
/// displays of fewer than 2880 x 1620 pixels have scale 1. Displays of at least 98 dots per inch
/// have their density over 96, so that text is as large as on a standard display (1.75 on a 27-inch
/// 4K display, 1 on a 43-inch one). All others have their lines over 1080 (2 on a 4K display): a
/// lower density means a television or projector, which is seen from afar, or an unknown size, for
/// which GLFW assumes 96. A size also counts as unknown if it is below 200 mm or its proportions are
/// not those of the pixels. Results are multiples of 1/4 and at most 3. Pure.
[[nodiscard]] float displayScale(const Display& display);

}  // namespace tilestep::gfx
