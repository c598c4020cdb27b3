// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "metrics/block_waits.h"
#include "metrics/limits.h"

/// The predicted time of a launch, from the resources that its blocks keep busy (limits.h) and the
/// latencies that each block waits for. Pure.
///
/// The resident blocks of a multiprocessor are the customers of a closed network of queues
/// (closed_queue.h). A block first waits as if it were alone: for memory, for barriers, and in each
/// instruction for the result of the previous one. It also needs its share of each resource, one
/// block at a time; therefore resources that are nearly as busy as the busiest one also lengthen
/// the launch (with BlockUse::overlapped only the busiest of each group). The start of a block
/// counts as a resource, too. When a block ends, the next one takes its place. All rates and
/// latencies are measured, and nothing is fitted.
namespace tilestep::metrics {

/// Measured on the device, in seconds.
struct Latencies {
  double dram = 0, l2 = 0, l1 = 0, shared = 0, barrier = 0;
  double instruction = 0;  ///< From an instruction to a dependent one.
  double blockStart = 0;   ///< From the start of one block of a grid to that of the next.
  double kernelStart = 0;  ///< From one kernel of a replayed graph to the next.
};

/// The launch's blocks.
struct BlocksInTurn {
  uint64_t blocks = 0;
  uint32_t resident = 0;  ///< Blocks per multiprocessor.
  uint32_t multiprocessors = 0;
  double instructionsPerWarp = 0;
  bool isInL2 = false;  ///< All buffers fit into L2, so loads beyond L1 do not come from DRAM.
};

/// How a block uses its resources.
enum class BlockUse : uint8_t {
  inTurn,  ///< One resource after the other, as if all of its warps were at the same point.
  /// All resources of its multiprocessor at once (FP32 lanes, issue, shared memory, L1), since its
  /// warps are at different points; then L2 and DRAM, also at once.
  overlapped
};

struct LaunchTime {
  double seconds = 0;
  /// The bottleneck: "DRAM", "starting blocks", "waiting" if no resource is always busy, or
  /// "starting the kernel".
  std::string limit;
};

/// `limits`: of the whole launch. Needs at least one block, resident block and multiprocessor.
[[nodiscard]] LaunchTime launchTimeOf(const Limits& limits, const BlockWaits& waits,
                                      const Latencies& latencies, const BlocksInTurn& turns,
                                      BlockUse use = BlockUse::inTurn);

}  // namespace tilestep::metrics
