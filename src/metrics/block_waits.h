// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trace/recording.h"

namespace tilestep::metrics {

/// What a block waits for, one after the other, on its way from start to end: how often each.
struct BlockWaits {
  double beyondL1 = 0;  ///< Loads of sectors of global memory that this block had not used before.
  double l1 = 0;        ///< Loads of global memory that it had.
  double shared = 0;
  double barriers = 0;
  bool operator==(const BlockWaits&) const = default;
};

/// From a whole trace of the block. Loads of a warp overlap, and are waited for once, unless the
/// warp stores to the same space between them or meets a barrier: the compiler may move a load up
/// past arithmetic, but not past a store that may be to the same address, and shared memory has
/// none in common with global memory. A wait is as long as its slowest load.
/// Between two barriers the block waits as its slowest warp does: the one that loads most often
/// beyond L1, then most often at all. An asynchronous copy counts as a load.
[[nodiscard]] BlockWaits blockWaitsOf(const trace::Recording& recording);

/// From a whole trace of the block: of the sectors of global memory that its loads touch, each
/// counted once a request, the share that the block had not used before. L1 asks L2 for these
/// alone, if it keeps the others. From 0 to 1; 1 where the block loads nothing.
[[nodiscard]] double shareBeyondL1(const trace::Recording& recording);

}  // namespace tilestep::metrics
