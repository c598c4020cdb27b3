// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "metrics/step_series.h"
#include "trace/timeline.h"

/// Arranges the blocks of a timeline in lanes of a picture. Pure; O(n log n) for n blocks.
namespace tilestep::metrics {

/// Every multiprocessor (SM) has as many lanes as the largest number of blocks resident at one time
/// on any SM. A block is drawn in the lane that is the lowest free one of its SM when the block
/// starts. A lane has no meaning on the GPU, which does not report a block's slot.
struct BlockLanes {
  uint32_t lanesPerSm = 0;
  uint64_t waveBlocks = 0;     ///< Blocks in a full wave: multiprocessors * lanesPerSm.
  std::vector<uint32_t> lane;  ///< By block, below lanesPerSm.
  /// By block: its rank in the order of starts (then indices), divided by waveBlocks.
  std::vector<uint32_t> wave;
  std::vector<uint32_t> order;  ///< Blocks, sorted by SM, lane and start.
  /// Where lane [sm * lanesPerSm + lane] begins in `order`; the last element is its size.
  std::vector<uint32_t> first;

  [[nodiscard]] std::span<const uint32_t> blocksOf(uint32_t sm, uint32_t inLane) const;
};
[[nodiscard]] BlockLanes blockLanes(const trace::Timeline& timeline);

/// By SM: the number of resident blocks over time.
[[nodiscard]] std::vector<StepSeries> residentBlocks(const trace::Timeline& timeline);
/// By SM: the sum of the waves of its resident blocks over time. Divided by residentBlocks, it is
/// their mean wave.
[[nodiscard]] std::vector<StepSeries> residentWaves(const trace::Timeline& timeline,
                                                    const BlockLanes& lanes);
/// Resident warps of the GPU over time. Each block counts with its mean number of resident warps.
[[nodiscard]] StepSeries residentWarpSeries(const trace::Timeline& timeline);

}  // namespace tilestep::metrics
