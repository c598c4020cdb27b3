// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::gfx {

/// A monitor as its driver describes it; a size of 0 is unknown.
struct Display {
  float contentScale = 1;
  int width = 0, height = 0;      ///< Pixels.
  int widthMm = 0, heightMm = 0;  ///< Many projectors and virtual displays have a wrong size.
};
/// The content scale where it is not 1, because somebody chose it then. Otherwise, on a display of
/// at least 2880 x 1620 pixels, in steps of 1/4 and up to 3: the dots per inch over 96, so that
/// text is as large as on a standard display (1.75 on a 27-inch 4K display, 1 on a 43-inch one). A
/// display with fewer than 98 dots per inch is a television or a projector, which is seen from
/// afar, or its size is unknown (GLFW then assumes 96), as is one under 200 mm or of other
/// proportions than its pixels: there, the lines over 1080 (2 on a 4K display). Pure.
[[nodiscard]] float displayScale(const Display& display);

}  // namespace tilestep::gfx
