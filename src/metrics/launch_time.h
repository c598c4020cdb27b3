// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "metrics/block_waits.h"
#include "metrics/limits.h"

/// Predicts the time of a launch from the resources that its blocks keep busy (limits.h) and the
/// latencies for which each block waits. Pure.
///
/// The resident blocks of a multiprocessor are the customers of a closed network of queues
/// (closed_queue.h). A block first waits as if it were alone: for memory, for barriers, and in each
/// instruction for the result of the previous instruction. It also needs its share of each
/// resource, which serves one block at a time. Therefore resources that are nearly as busy as the
/// busiest resource also lengthen the launch; with BlockUse::overlapped, only the busiest resource
/// of each group counts. Starting a block counts as a resource, too. When a block ends, the next
/// block takes its place. All rates and latencies are measured, and nothing is fitted.
namespace tilestep::metrics {

/// Measured on the device, in seconds.
struct Latencies {
  double dram = 0, l2 = 0, l1 = 0, shared = 0, barrier = 0;
  double instruction = 0;  ///< From an instruction to a dependent instruction.
  double blockStart = 0;   ///< From the start of a block to the start of the grid's next block.
  double kernelStart = 0;  ///< From one kernel of a replayed graph to the next kernel.
};

struct BlocksInTurn {
  uint64_t blocks = 0;
  uint32_t resident = 0;  ///< Blocks per multiprocessor.
  uint32_t multiprocessors = 0;
  double instructionsPerWarp = 0;
  bool isInL2 = false;  ///< All buffers fit into L2, so L2 serves all loads beyond L1.
};

enum class BlockUse : uint8_t {
  inTurn,  ///< One resource after the other, as if all warps were at the same point.
  /// First all resources of the multiprocessor at once (FP32 lanes, issue, shared memory, L1),
  /// because warps are at different points; then L2 and DRAM at once.
  overlapped
};

struct LaunchTime {
  double seconds = 0;
  /// "DRAM", "starting blocks", "starting the kernel", or "waiting" if no resource is always busy.
  std::string limit;
};

/// `limits` is for the whole launch. Blocks, resident blocks and multiprocessors are at least 1.
[[nodiscard]] LaunchTime launchTimeOf(const Limits& limits, const BlockWaits& waits,
                                      const Latencies& latencies, const BlocksInTurn& turns,
                                      BlockUse use = BlockUse::inTurn);

}  // namespace tilestep::metrics
