// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// Where the sums of a block stand in the scene, in cells of a grid. Threads with one sum stand by
/// their y and x. Of threads with several, each sum stands where the element of the output lies
/// that it ends in (found by its value in the trace), so that the grid is the block's tile of it;
/// where that is not known, a thread's sums stand side by side.
struct SumPlaces {
  static constexpr uint32_t kNowhere = 0xffffffff;
  uint32_t rows = 0, columns = 0;
  bool byElement = false;
  uint32_t top = 0, left = 0;   ///< By element: of the output's element in the first cell.
  std::vector<uint32_t> cells;  ///< By thread, then sum; kNowhere: it ends in no element.
};
[[nodiscard]] SumPlaces sumPlacesOf(const TracedKernel& side);

}  // namespace tilestep::model
