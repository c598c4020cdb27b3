// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/step_series.h"
#include "trace/timeline.h"

/// Arranges the blocks of a timeline in lanes for a picture. Pure; O(n log n) in the number of
/// blocks.
namespace tilestep::metrics {

/// Every multiprocessor (SM) has as many lanes as the maximum number of blocks resident together on
/// any SM. A block is drawn in the lowest free lane of its SM when it starts. No GPU reports the
/// slot of a block, so a lane is only a place in the picture.
struct BlockLanes {
  uint32_t lanesPerSm = 0;
  uint64_t waveBlocks = 0;     ///< Blocks of a full wave: multiprocessors * lanesPerSm.
  std::vector<uint32_t> lane;  ///< By block, below lanesPerSm.
  /// By block: its rank by start (ties by index) / waveBlocks. Waves::lastWaveBlocks counts the
  /// blocks of the last wave.
  std::vector<uint32_t> wave;
  std::vector<uint32_t> order;  ///< Blocks by SM, lane and start.
  std::vector<uint32_t> first;  ///< [sm * lanesPerSm + lane]: start in `order`; plus one.

  [[nodiscard]] std::span<const uint32_t> blocksOf(uint32_t sm, uint32_t inLane) const;
};
[[nodiscard]] BlockLanes blockLanes(const trace::Timeline& timeline);

/// By SM: the number of resident blocks over time.
[[nodiscard]] std::vector<StepSeries> residentBlocks(const trace::Timeline& timeline);
/// By SM: the sum of the wave numbers of its resident blocks; divided by residentBlocks, their
/// mean.
[[nodiscard]] std::vector<StepSeries> residentWaves(const trace::Timeline& timeline,
                                                    const BlockLanes& lanes);
/// Resident warps of the whole GPU over time; a block counts with the mean number of its resident
/// warps.
[[nodiscard]] StepSeries residentWarpSeries(const trace::Timeline& timeline);

}  // namespace tilestep::metrics
