// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "metrics/block_waits.h"
#include "metrics/limits.h"

/// The time of a launch: what its blocks keep busy (limits.h), and what each of them waits for by
/// itself. Pure.
///
/// The blocks that reside on a multiprocessor are the customers of a closed network of queues
/// (closed_queue.h). A block first waits for what it would wait for if it were alone: memory,
/// barriers, and each instruction for the result of the one before it. It also needs its share of
/// each resource, one block at a time; so resources that are nearly as busy as the busiest one make
/// the launch longer, too (with BlockUse::overlapped only the busiest of each group). The start of
/// a block is such a resource. When a block ends, the next one takes its place. All rates and
/// latencies are measured, and nothing is fitted.
namespace tilestep::metrics {

/// Measured on the device, in seconds.
struct Latencies {
  double dram = 0, l2 = 0, l1 = 0, shared = 0, barrier = 0;
  double instruction = 0;  ///< From one to the next that needs its result.
  double blockStart = 0;   ///< From the start of one block of a grid to that of the next.
  double kernelStart = 0;  ///< From one kernel of a replayed graph to the next.
};

/// The launch's blocks.
struct BlocksInTurn {
  uint64_t blocks = 0;
  uint32_t resident = 0;  ///< So many fit on a multiprocessor.
  uint32_t multiprocessors = 0;
  double instructionsPerWarp = 0;
  bool isInL2 = false;  ///< All buffers fit into L2, so loads beyond L1 do not come from DRAM.
};

/// How a block needs what it keeps busy.
enum class BlockUse : uint8_t {
  inTurn,  ///< One resource after the other, as if its warps were all at the same point.
  /// All that belongs to its multiprocessor at once (FP32 lanes, issue, shared memory, L1), since
  /// its warps are at different points; then L2 and DRAM, at once as well.
  overlapped
};

struct LaunchTime {
  double seconds = 0;
  /// What takes the longest: "DRAM", "starting blocks", "waiting" where no resource is busy all of
  /// the time, or "starting the kernel".
  std::string limit;
};

/// `limits`: of the whole launch. Needs at least one block, resident block and multiprocessor.
[[nodiscard]] LaunchTime launchTimeOf(const Limits& limits, const BlockWaits& waits,
                                      const Latencies& latencies, const BlocksInTurn& turns,
                                      BlockUse use = BlockUse::inTurn);

}  // namespace tilestep::metrics
