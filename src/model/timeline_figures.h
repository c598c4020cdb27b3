// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "trace/timeline.h"

namespace tilestep::model {

/// Figures from a timeline of the measured launch.
struct TimelineFigures {
  double achievedOccupancy = 0;  ///< Resident warps ÷ the maximum per SM, while the SM is active.
  /// The fraction of a warp's resident time that it waits at barriers; other warps may work
  /// meanwhile.
  double barrierWaitShare = 0;
  double overhead = 0;  ///< Time of the run with clock reads ÷ time of the plain run.
  bool operator==(const TimelineFigures&) const = default;
};

/// How a warp's cycles are spent, as shares that add up to 1. They come from the device's own
/// clocks, read once per configuration. The latencies are those of a warp while other warps work.
struct LiveSplit {
  /// Loading and computing, if the kernel's phases have these two epochs. Otherwise `load` is all
  /// time that is not spent waiting.
  double load = 0, compute = 0, wait = 0;
  double outside = 0;  ///< Neither waiting nor in a phase.
  std::string blocks;  ///< Which blocks these warps belong to (keptBlocks); empty if all blocks are
                       ///< included.
  bool phases = false;
  double overhead = 0;  ///< Time of the kernel with clock reads ÷ time of the plain kernel.
};
/// The blocks whose epochs were kept: "all 64 blocks", "every eighth block, 512 of 4,096 blocks".
[[nodiscard]] std::string keptBlocks(const trace::Timeline& timeline);
/// Absent if no warp's cycles were read.
[[nodiscard]] std::optional<LiveSplit> splitOf(const trace::Timeline& timeline);

}  // namespace tilestep::model
