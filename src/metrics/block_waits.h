// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trace/block_trace.h"

namespace tilestep::metrics {

/// The sequential waits of a block from start to end: the number of each kind.
struct BlockWaits {
  double beyondL1 = 0;  ///< Loads of global-memory sectors that the block had not used before.
  double l1 = 0;        ///< Loads of global-memory sectors that it had used before.
  double shared = 0;
  double barriers = 0;
  bool operator==(const BlockWaits&) const = default;
};

/// From a complete trace of the block. Loads of a warp overlap and count as one wait, unless the
/// warp stores to the same space between them or reaches a barrier: the compiler may move a load up
/// past arithmetic, but not past a store that may be to the same address, and shared memory does
/// not alias global memory. A wait is as long as its slowest load.
/// Between two barriers, the block waits as its slowest warp does: the one with the most loads
/// beyond L1, then with the most loads in total. An asynchronous copy counts as a load.
[[nodiscard]] BlockWaits blockWaitsOf(const trace::BlockTrace& recording);

/// From a complete trace of the block: the share of the global-memory sectors of its loads, each
/// counted once per request, that the block had not used before. L1 requests only these from L2 if
/// it keeps the others. From 0 to 1; 1 if the block loads nothing.
[[nodiscard]] double shareBeyondL1(const trace::BlockTrace& recording);

}  // namespace tilestep::metrics
