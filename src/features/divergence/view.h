// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "features/divergence/lanes.h"
#include "features/names.h"
#include "model/view.h"

namespace tilestep::features {

/// Lanes against time of the main kernel's block, and the cost of its branches.
struct DivergenceView : View {
  static constexpr std::string_view kFeature = "divergence";
  std::shared_ptr<const LanesPicture> picture;  ///< Null unless it is visible.
  std::shared_ptr<const TracedKernel> of;       ///< The kernel that it shows.
  std::optional<BranchFigures> figures;         ///< Absent if branches were not counted.
  std::string counted;                     ///< The counted launch, and the device that counted it.
  std::string sentence;                    ///< Describes the present step.
  uint32_t firstEvent = 0, lastEvent = 0;  ///< The present step; inclusive.
  uint32_t warp = 0;                       ///< The warp of the step's last event.
};

}  // namespace tilestep::features
