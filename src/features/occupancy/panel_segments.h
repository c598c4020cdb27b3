// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "features/names.h"
#include "features/occupancy/occupancy_view.h"

namespace tilestep::features {

/// A resident block's part of a resource, in pixels from the bar's left end: up to `middle` the
/// requested amount, from there to `right` the rounding or reserved amount.
struct BarSegment {
  float left = 0, middle = 0, right = 0;
};

/// The parts of `blocks` blocks in a bar of so many pixels. If a part is narrower than two pixels,
/// one segment represents all of them, so that there are never more segments than pixels.
[[nodiscard]] std::vector<BarSegment> segmentsOf(const OccupancyBar& bar, uint32_t blocks,
                                                 float pixels);

}  // namespace tilestep::features
