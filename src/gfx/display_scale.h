// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::gfx {

/// A monitor as its driver describes it. A size of 0 means that the size is unknown.
struct Display {
  float contentScale = 1;
  int width = 0, height = 0;      ///< Pixels.
  int widthMm = 0, heightMm = 0;  ///< Many projectors and virtual displays report a wrong size.
};
/// Returns the content scale if it is not 1, because the user or the desktop has then set it.
/// Otherwise:
/// - a display of fewer than 2880 x 1620 pixels has scale 1;
/// - a display of at least 98 dots per inch has its density divided by 96, so that text is as large
/// as on a standard display (1.75 on a 27-inch 4K display, 1 on a 43-inch one);
/// - any other display has its number of lines divided by 1080 (2 on a 4K display): a lower density
/// means a television or projector, which is seen from afar, or an unknown size, for which GLFW
/// assumes 96 dots per inch.
/// A size also counts as unknown if it is below 200 mm or if its proportions are not those of the
/// pixels. Results are multiples of 1/4 and at most 3. Pure.
[[nodiscard]] float displayScale(const Display& display);

}  // namespace tilestep::gfx
