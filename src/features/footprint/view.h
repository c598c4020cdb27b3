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

/// The main kernel's requests of one block to global memory, up to the present step.
struct FootprintView : View {
  static constexpr std::string_view kFeature = "footprint";
  std::shared_ptr<const Footprint> footprint;           ///< Null unless it is visible.
  std::shared_ptr<const std::vector<OperandMap>> maps;  ///< By Footprint::operands.
  std::shared_ptr<const TracedKernel> of;               ///< The kernel that it shows.
  std::string block;                                    ///< "block (0, 0)"
  size_t done = 0;                                      ///< Requests up to the end of the step.
  CountsByKind soFar;                                   ///< Counts of those requests.
  /// The last of those; absent before the first.
  std::shared_ptr<const RequestPicture> request;
  /// Whether the step consists of this request alone.
  bool isStep = false;
  /// The request's operand, in Footprint::operands; 0 before the first request.
  size_t operand = 0;
  std::vector<MapRectangle> frames;  ///< The request's sectors on that operand's map.
  std::string sentence;              ///< Describes the step's request.

  [[nodiscard]] const GlobalRequest& requestAt(size_t index) const {
    return footprint->requests[index];
  }
};

}  // namespace tilestep::features
