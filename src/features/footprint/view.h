// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/footprint/footprint.h"
#include "features/footprint/map_shape.h"
#include "features/names.h"
#include "model/view.h"

namespace tilestep::features {

/// One block's requests to global memory in the main kernel, up to the present step.
struct FootprintView : View {
  static constexpr std::string_view kFeature = "footprint";
  std::shared_ptr<const Footprint> footprint;           ///< Null unless the view is visible.
  std::shared_ptr<const std::vector<OperandMap>> maps;  ///< Parallel to Footprint::operands.
  std::shared_ptr<const TracedKernel> of;               ///< The kernel that it shows.
  std::string block;                                    ///< "block (0, 0)"
  size_t done = 0;     ///< Number of requests up to the end of the step.
  CountsByKind soFar;  ///< Counts of those requests.
  /// The last request up to the end of the step; absent before the first request.
  std::shared_ptr<const RequestPicture> request;
  /// The step consists only of this request.
  bool isStep = false;
  /// The index of the request's operand in Footprint::operands; 0 before the first request.
  size_t operand = 0;
  std::vector<MapRectangle> frames;  ///< The request's sectors on that operand's map.
  std::string sentence;              ///< Describes the step's request.

  [[nodiscard]] const GlobalRequest& requestAt(size_t index) const {
    return footprint->requests[index];
  }
};

}  // namespace tilestep::features
