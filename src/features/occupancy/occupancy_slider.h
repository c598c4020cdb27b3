// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "features/names.h"
#include "features/occupancy/occupancy_view.h"

namespace tilestep::features {

/// The effect of a tunable on occupancy: its curve, and the neighbouring values in words.
struct SliderView {
  std::optional<OccupancyCurve> curve;  ///< Absent if the kernel has no tunable to vary.
  /// The nearest legal value above, and the nearest one below.
  std::vector<std::string> steps;
};

/// `needs` and `now` are those of the present launch. For other values shared memory is taken from
/// the front matter, and only if that is correct for the value that was compiled.
[[nodiscard]] SliderView sliderViewOf(const OccupancyInputs& in, const metrics::BlockNeeds& needs,
                                      const metrics::Occupancy& now);

}  // namespace tilestep::features
