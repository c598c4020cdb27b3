// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/timeline.h"

/// Statistics of a launch, computed from its timeline. Pure. Times and shares apply to the run that
/// read the clocks, which takes Timeline::price times as long as the plain kernel.
namespace tilestep::metrics {

/// The end of the last block, in ns from the start of the first block.
[[nodiscard]] uint64_t spanNs(const trace::Timeline& timeline);

/// Achieved occupancy, 0 to 1: the mean number of resident warps of a multiprocessor (SM) while it
/// is active, divided by the most warps that it can hold:
///   sum over warps of (end - start) / (maxWarps * sum over SMs of (last end - first start)),
/// in cycles of the SM's clock. Nsight Compute computes the same quotient from hardware counters
/// (sm__warps_active.avg.pct_of_peak_sustained_active), but includes the few hundred cycles before
/// a warp's first and after its last instruction.
[[nodiscard]] double achievedOccupancy(const trace::Timeline& timeline);

/// Cycles that warps waited at barriers / cycles that they were resident, over all warps, 0 to 1.
/// This is not lost time, because other warps of the SM may work while a warp waits.
[[nodiscard]] double barrierWaitShare(const trace::Timeline& timeline);

/// A block's mean number of resident warps, which is its warp-cycles / cycles.
[[nodiscard]] double meanWarps(const trace::Timeline& timeline, size_t block);

/// The mean number of resident warps in each of `slices` equal parts of the span, for one SM or for
/// the whole GPU. From its start to its end, a block counts with meanWarps().
[[nodiscard]] std::vector<double> residentWarps(const trace::Timeline& timeline, size_t slices,
                                                std::optional<uint32_t> sm = std::nullopt);

struct Waves {
  uint32_t usedMultiprocessors = 0;  ///< The number of SMs on which a block ran.
  uint32_t blocksTogether = 0;       ///< The most blocks observed on an SM at one time.
  double waves = 0;  ///< blocks / (multiprocessors * blocksTogether): 1.0 fills the GPU once.
  uint64_t lastWaveBlocks = 0;  ///< The number of blocks in the last wave.
  double tailShare = 0;         ///< The share of the span after the first SM has run out of blocks.
};
[[nodiscard]] Waves waves(const trace::Timeline& timeline);

/// A warp's mean cycles in an epoch. Other blocks and warps work at the same time, so the sum over
/// epochs is not the launch's time.
struct EpochCycles {
  double busy = 0;  ///< From the previous barrier to the barrier that ends the epoch.
  double wait = 0;  ///< At the barrier that ends the epoch.
};

/// By epoch: the mean over the blocks whose epochs are stored. Empty if there are none.
[[nodiscard]] std::vector<EpochCycles> epochCycles(const trace::Timeline& timeline);

/// By position in the phase: the mean over all phases that the launch reached. A phase with a load
/// epoch and a compute epoch has two positions. Empty if phases or epochs are unknown.
[[nodiscard]] std::vector<EpochCycles> phaseEpochCycles(const trace::Timeline& timeline);

/// Warp-cycles of the blocks whose epochs are stored. The sum is the resident time of these blocks,
/// so wait / all() is their barrierWaitShare.
struct PhaseTime {
  std::vector<uint64_t> busy;  ///< By position in the phase, over all phases.
  uint64_t outside = 0;        ///< Busy before the first phase and after the last one.
  uint64_t wait = 0;           ///< At barriers.
  [[nodiscard]] uint64_t all() const;
};
/// For the stored row `row`, or for all rows. Nothing if phases are unknown or no epochs are
/// stored.
[[nodiscard]] std::optional<PhaseTime> phaseTime(const trace::Timeline& timeline,
                                                 std::optional<size_t> row = std::nullopt);

/// When an epoch of a block began and ended, in ns from the first block's start.
struct EpochSpan {
  double startNs = 0;
  double waitNs = 0;  ///< The mean arrival of the block's warps at the barrier that ends the epoch.
  double endNs = 0;
};
/// The epochs of the stored row `row` (block row * epochStep). The warps' mean cycles are laid end
/// to end and scaled to the block's start and end on the nanosecond clock.
[[nodiscard]] std::vector<EpochSpan> epochSpans(const trace::Timeline& timeline, size_t row);

}  // namespace tilestep::metrics
