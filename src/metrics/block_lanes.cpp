// SPDX-License-Identifier: Apache-2.0
#include "metrics/block_lanes.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "metrics/timeline.h"

namespace tilestep::metrics {
namespace {

using trace::Timeline;
using Change = StepSeries::Change;

/// At least 1 ns after the start, so that a block too short for the clock is visible.
uint64_t endOf(const Timeline& t, size_t block) {
  return std::max(t.endNs[block], t.startNs[block] + 1);
}

/// The blocks ordered by start, then by index.
std::vector<uint32_t> byStart(const Timeline& t) {
  std::vector<uint32_t> blocks(t.blocks());
  std::iota(blocks.begin(), blocks.end(), 0U);
  std::ranges::stable_sort(blocks, {}, [&](uint32_t b) { return t.startNs[b]; });
  return blocks;
}

/// More blocks than any multiprocessor holds. Limits the effect of a damaged file.
constexpr size_t kMostLanes = 64;

/// Assigns each block to the lowest free lane of its SM, and returns the most lanes that an SM
/// needs. If an SM has kMostLanes, a block is drawn over the block that ends first.
uint32_t takeLanes(const Timeline& t, const std::vector<uint32_t>& started, BlockLanes& lanes) {
  std::vector<std::vector<uint64_t>> freeFrom(t.multiprocessors);
  size_t most = 0;
  for (const uint32_t block : started) {
    std::vector<uint64_t>& own = freeFrom[t.sm[block]];
    const auto lane =
        std::ranges::find_if(own, [&](uint64_t ns) { return ns <= t.startNs[block]; });
    lanes.lane[block] = static_cast<uint32_t>(lane - own.begin());
    if (lane != own.end()) {
      *lane = endOf(t, block);
    } else if (own.size() < kMostLanes) {
      own.push_back(endOf(t, block));
    } else {
      const auto soonest = std::ranges::min_element(own);
      lanes.lane[block] = static_cast<uint32_t>(soonest - own.begin());
      *soonest = std::max(*soonest, endOf(t, block));
    }
    most = std::max(most, own.size());
  }
  return static_cast<uint32_t>(most);
}

/// By SM: the sum of `heightOf(block)` over its resident blocks.
template <class HeightOf>
std::vector<StepSeries> bySm(const Timeline& t, HeightOf heightOf) {
  std::vector<std::vector<Change>> changes(t.multiprocessors);
  for (size_t b = 0; b < t.blocks(); ++b) {
    changes[t.sm[b]].push_back({t.startNs[b], heightOf(b)});
    changes[t.sm[b]].push_back({endOf(t, b), -heightOf(b)});
  }
  std::vector<StepSeries> series;
  series.reserve(changes.size());
  for (std::vector<Change>& own : changes) series.emplace_back(std::move(own));
  return series;
}

}  // namespace

std::span<const uint32_t> BlockLanes::blocksOf(uint32_t sm, uint32_t inLane) const {
  const size_t at = size_t{sm} * lanesPerSm + inLane;
  return std::span(order).subspan(first[at], first[at + 1] - first[at]);
}

BlockLanes blockLanes(const Timeline& t) {
  BlockLanes lanes;
  lanes.lane.resize(t.blocks());
  lanes.wave.resize(t.blocks());
  const std::vector<uint32_t> started = byStart(t);
  lanes.lanesPerSm = takeLanes(t, started, lanes);
  lanes.waveBlocks = uint64_t{t.multiprocessors} * lanes.lanesPerSm;
  for (size_t rank = 0; rank < started.size(); ++rank)
    lanes.wave[started[rank]] = static_cast<uint32_t>(rank / lanes.waveBlocks);
  const auto laneOf = [&](uint32_t b) {
    return size_t{t.sm[b]} * lanes.lanesPerSm + lanes.lane[b];
  };
  lanes.order = started;
  std::ranges::stable_sort(lanes.order, {}, laneOf);  // Keeps the order by start in each lane.
  lanes.first.assign(size_t{t.multiprocessors} * lanes.lanesPerSm + 1, 0);
  for (const uint32_t b : started) ++lanes.first[laneOf(b) + 1];
  std::partial_sum(lanes.first.begin(), lanes.first.end(), lanes.first.begin());
  return lanes;
}

std::vector<StepSeries> residentBlocks(const Timeline& t) {
  return bySm(t, [](size_t) { return 1.0; });
}

std::vector<StepSeries> residentWaves(const Timeline& t, const BlockLanes& lanes) {
  return bySm(t, [&](size_t block) { return static_cast<double>(lanes.wave[block]); });
}

StepSeries residentWarpSeries(const Timeline& t) {
  std::vector<Change> changes;
  changes.reserve(2 * t.blocks());
  for (size_t b = 0; b < t.blocks(); ++b) {
    const double warps = meanWarps(t, b);
    changes.push_back({t.startNs[b], warps});
    changes.push_back({endOf(t, b), -warps});
  }
  return StepSeries(std::move(changes));
}

}  // namespace tilestep::metrics
