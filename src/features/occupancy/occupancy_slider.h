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
  /// Describes the nearest legal value above, and the nearest below.
  std::vector<std::string> steps;
};

/// `needs` and `now` belong to the present launch. The front matter provides the shared memory of
/// other values, but only if it is correct for the present value.
[[nodiscard]] SliderView sliderViewOf(const OccupancyInputs& in, const metrics::BlockNeeds& needs,
                                      const metrics::Occupancy& now);

}  // namespace tilestep::features
