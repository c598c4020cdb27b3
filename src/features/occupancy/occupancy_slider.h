// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "features/occupancy/occupancy_view.h"

namespace tilestep::model {

/// What a tunable's slider does to occupancy: its curve, and its next values in words.
struct SliderView {
  std::optional<OccupancyCurve> curve;  ///< Nothing where the kernel has no tunable to vary.
  std::vector<std::string> steps;       ///< The nearest legal value above, and the one below.
};

/// `needs` and `now`: of the launch as it is. The other values' shared memory is what front matter
/// says, and only where that is right for the value that was compiled.
[[nodiscard]] SliderView sliderViewOf(const OccupancyInputs& in, const metrics::BlockNeeds& needs,
                                      const metrics::Occupancy& now);

}  // namespace tilestep::model
