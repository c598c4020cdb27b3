// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/drawing/drawing.h"

namespace tilestep::gfx {

/// Nearly the same picture, which takes less room as SVG. Where many boxes of a few pixels follow
/// one another, as the cells of large tiles do, they become one image with four pixels for each one
/// of the screen. Boxes without an area are left out, and images get by with fewer colours: no
/// channel is off by more than 2 of 255.
[[nodiscard]] Drawing compacted(const Drawing& drawing);

}  // namespace tilestep::gfx
