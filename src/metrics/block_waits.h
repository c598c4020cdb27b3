// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "trace/block_trace.h"

namespace tilestep::metrics {

/// The numbers of sequential waits of a block from start to end, by kind.
struct BlockWaits {
  double beyondL1 = 0;  ///< Global loads with sectors that the block had not used before.
  double l1 = 0;        ///< Global loads of only sectors that the block had used before.
  double shared = 0;
  double barriers = 0;
  bool operator==(const BlockWaits&) const = default;
};

/// Computed from a complete trace of the block. Loads of a warp overlap and count as one wait, of
/// the kind of the slowest load, unless the warp stores to the same space or reaches a barrier
/// between them. The reason is that the compiler may move a load ahead of arithmetic, but not ahead
/// of a store to an address that may be the same; shared memory does not alias global memory.
/// Between two barriers, the block waits as long as its slowest warp, which is the warp with the
/// most waits beyond L1, then in L1, then for shared memory. An asynchronous copy counts as a load.
[[nodiscard]] BlockWaits blockWaitsOf(const trace::BlockTrace& recording);

/// Computed from a complete trace of the block: of all sectors in its global load requests, the
/// share that the block had not used before. These are the only sectors that L1 requests from L2 if
/// L1 keeps all others. From 0 to 1; 1 if the block loads nothing.
[[nodiscard]] double shareBeyondL1(const trace::BlockTrace& recording);

}  // namespace tilestep::metrics
