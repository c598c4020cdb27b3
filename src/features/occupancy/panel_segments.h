// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "features/names.h"
#include "features/occupancy/occupancy_view.h"

namespace tilestep::features {

/// A resident block's part of a resource, in pixels from the bar's left end: to `middle` what the
/// block asked for, from there to `right` what is rounded up or reserved.
struct BarSegment {
  float left = 0, middle = 0, right = 0;
};

/// The parts of `blocks` blocks in a bar of so many pixels. Where a part is narrower than two
/// pixels, one segment stands for all, so that there are never more than pixels.
[[nodiscard]] std::vector<BarSegment> segmentsOf(const OccupancyBar& bar, uint32_t blocks,
                                                 float pixels);

}  // namespace tilestep::features
