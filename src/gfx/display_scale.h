// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::gfx {

/// A monitor as its driver describes it; a size of 0 is unknown.
struct Display {
  float contentScale = 1;
  int width = 0, height = 0;      ///< Pixels.
  int widthMm = 0, heightMm = 0;  ///< Many projectors and virtual displays have a wrong size.
};
/// Returns the content scale if it is not 1, because the user or desktop has set it. Otherwise, for
/// a display of at least 2880 x 1620 pixels, returns its dots per inch divided by 96, in steps of
/// 1/4 and at most 3, so that text is as large as on a standard display (1.75 on a 27-inch 4K
/// display, 1 on a 43-inch one); 1 for a smaller display. The size of a display is not used if it is below 98 dots per inch
/// (a television or projector, which is seen from a distance, or an unknown size, for which GLFW
/// assumes 96), narrower than 200 mm, or has other proportions than its pixels. The result is then
/// the number of lines divided by 1080 (2 on a 4K display). Pure.
[[nodiscard]] float displayScale(const Display& display);

}  // namespace tilestep::gfx
