// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "features/names.h"
#include "features/occupancy/occupancy_view.h"

namespace tilestep::features {

/// A resident block's part of a resource, in pixels from the bar's left end. The requested amount
/// ends at `middle`; the rounding or reserved amount ends at `right`.
struct BarSegment {
  float left = 0, middle = 0, right = 0;
};

/// The parts of `blocks` blocks in a bar that is `pixels` wide. If a part is narrower than two
/// pixels, a single segment represents all parts, so there are never more segments than pixels.
[[nodiscard]] std::vector<BarSegment> segmentsOf(const OccupancyBar& bar, uint32_t blocks,
                                                 float pixels);

}  // namespace tilestep::features
