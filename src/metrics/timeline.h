// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/timeline.h"

/// Statistics of a launch from its timeline. Pure. Times and shares are those of the run that read
/// the clocks, which takes `price` times as long as the plain kernel.
namespace tilestep::metrics {

/// End of the last block, in ns from the start of the first.
[[nodiscard]] uint64_t spanNs(const trace::Timeline& timeline);

/// Achieved occupancy, 0 to 1: resident warps of a multiprocessor (SM), averaged over the time that
/// it is active, over the most it can hold:
///   sum over warps of (end - start) / (maxWarps * sum over SMs of (last end - first start)),
/// in cycles of the SM's own clock. Nsight Compute's sm__warps_active.avg.pct_of_peak_sustained_
/// active is the same quotient of hardware counters; it also counts a warp's few hundred cycles
/// before its first and after its last instruction.
[[nodiscard]] double achievedOccupancy(const trace::Timeline& timeline);

/// Cycles that warps waited at barriers / cycles that they were resident, over all warps, 0 to 1.
/// This is a latency: while one warp waits, others of its SM may work, so it is not lost time.
[[nodiscard]] double barrierWaitShare(const trace::Timeline& timeline);

/// A block's resident warps, averaged over its time: warp-cycles / cycles, at most all of them.
[[nodiscard]] double meanWarps(const trace::Timeline& timeline, size_t block);

/// Mean resident warps in each of `slices` equal parts of the span, for one SM or for the whole
/// GPU. A block counts with its mean of resident warps (warp-cycles / cycles) from its start to its
/// end.
[[nodiscard]] std::vector<double> residentWarps(const trace::Timeline& timeline, size_t slices,
                                                std::optional<uint32_t> sm = std::nullopt);

struct Waves {
  uint32_t usedMultiprocessors = 0;  ///< The SMs on which a block ran.
  uint32_t blocksTogether = 0;  ///< The most blocks resident on one SM at one time, as observed.
  /// blocks / (multiprocessors * blocksTogether): 1.0 fills the GPU once.
  double waves = 0;
  /// The blocks that remain after the full waves; a whole wave if none remain.
  uint64_t lastWaveBlocks = 0;
  /// The time from the moment when the first SM has no block left to the end, over the span.
  double tailShare = 0;
};
[[nodiscard]] Waves waves(const trace::Timeline& timeline);

/// A warp's mean cycles in one epoch. These are latencies of one block while other blocks and warps
/// work, so their sum is not the launch's time.
struct EpochCycles {
  double busy = 0;  ///< From the previous barrier to the one that ends the epoch.
  double wait = 0;  ///< At the barrier that ends it.
};

/// By epoch, over the blocks whose epochs are stored. Empty if there are none.
[[nodiscard]] std::vector<EpochCycles> epochCycles(const trace::Timeline& timeline);

/// By position in the phase (two for a kernel with a load and a compute epoch), over all phases
/// that the launch reached; empty if the kernel names no phases or no epochs are stored.
[[nodiscard]] std::vector<EpochCycles> phaseEpochCycles(const trace::Timeline& timeline);

/// Warp-cycles of the blocks whose epochs are stored. Their sum is those blocks' resident time, so
/// `wait` / `all` is barrierWaitShare of these blocks.
struct PhaseTime {
  std::vector<uint64_t> busy;  ///< By position in the phase, over all phases.
  uint64_t outside = 0;        ///< Busy before the first phase and after the last one.
  uint64_t wait = 0;           ///< At barriers.
  [[nodiscard]] uint64_t all() const;
};
/// For stored row `row`, or for all stored rows. Nothing if the kernel names no phases or no epochs
/// are stored.
[[nodiscard]] std::optional<PhaseTime> phaseTime(const trace::Timeline& timeline,
                                                 std::optional<size_t> row = std::nullopt);

/// The time of an epoch of one block, in ns from the first block's start.
struct EpochSpan {
  double startNs = 0;
  double waitNs = 0;  ///< Its warps' mean arrival at the barrier that ends it.
  double endNs = 0;
};
/// The epochs of stored row `row` (block row * epochStep): the warps' mean cycles, laid end to end
/// and scaled to the block's start and end on the nanosecond clock.
[[nodiscard]] std::vector<EpochSpan> epochSpans(const trace::Timeline& timeline, size_t row);

}  // namespace tilestep::metrics
