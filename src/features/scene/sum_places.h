// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "features/names.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// The layout of a block's sums in the scene, in cells of a grid. If each thread has one sum, its
/// cell is given by the thread's y and x. If threads have several sums, each sum is at the position
/// of its output element (found by its value in the trace), so the grid is the block's output tile.
/// If output elements are unknown, a thread's sums are side by side.
struct SumPlaces {
  static constexpr uint32_t kNowhere = 0xffffffff;
  uint32_t rows = 0, columns = 0;
  bool byElement = false;
  uint32_t top = 0, left = 0;  ///< If byElement: the output element of the first cell.
  /// By thread, then by sum; kNowhere if the sum is not stored to an element.
  std::vector<uint32_t> cells;
};
[[nodiscard]] SumPlaces sumPlacesOf(const TracedKernel& side);

}  // namespace tilestep::features
