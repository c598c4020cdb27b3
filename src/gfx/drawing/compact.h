// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/drawing/drawing.h"

namespace tilestep::gfx {

/// Nearly the same picture, which takes less room as SVG:
/// - many boxes of a few pixels that follow one another, as the cells of large tiles do, become one
///   image with four pixels for each one of the screen;
/// - links between cells are sorted by colour, so that they share paths;
/// - boxes without an area are left out;
/// - no channel of an image is off by more than 4 of 255, so that it has fewer colours.
[[nodiscard]] Drawing compacted(const Drawing& drawing);

}  // namespace tilestep::gfx
