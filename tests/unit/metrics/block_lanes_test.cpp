// SPDX-License-Identifier: Apache-2.0
// Lanes, waves and resident blocks over time, compared with results computed by hand and with sums.
#include "metrics/block_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "metrics/timeline.h"
#include "timelines.h"

namespace tilestep::metrics::block_lanes_test {

using trace::Timeline;

Timeline randomTimeline(uint32_t seed, size_t blocks) {
  std::mt19937 random(seed);
  Timeline t = emptyTimeline(5, 2);
  for (size_t b = 0; b < blocks; ++b) {
    const uint64_t start = random() % 1000;
    addBlock(t, random() % 5, start, start + random() % 80);
  }
  return t;
}

TEST(StepSeries, MeansAreAreasOverSpans) {
  const StepSeries series({{10, 2}, {30, -1}, {20, 1}, {30, -2}});
  EXPECT_EQ(series.steps(), 3U);  // The two changes at 30 are one step.
  EXPECT_DOUBLE_EQ(series.at(9.5), 0);
  EXPECT_DOUBLE_EQ(series.at(10), 2);
  EXPECT_DOUBLE_EQ(series.at(25), 3);
  EXPECT_DOUBLE_EQ(series.at(30), 0);
  EXPECT_DOUBLE_EQ(series.mean(0, 40), (10 * 2 + 10 * 3) / 40.0);
  EXPECT_DOUBLE_EQ(series.mean(15, 25), 2.5);
  EXPECT_DOUBLE_EQ(series.mean(12, 12), 2);
  EXPECT_DOUBLE_EQ(series.most(), 3);
  EXPECT_DOUBLE_EQ(StepSeries().mean(0, 5), 0);
}

TEST(BlockLanes, ABlockTakesTheLowestFreeLane) {
  Timeline t = emptyTimeline(2, 2);
  addBlock(t, 0, 0, 100);    // lane 0
  addBlock(t, 0, 10, 30);    // lane 1
  addBlock(t, 1, 0, 50);     // another SM, lane 0
  addBlock(t, 0, 30, 60);    // lane 1 is free again at 30
  addBlock(t, 0, 40, 50);    // lanes 0 and 1 are taken, so lane 2
  addBlock(t, 0, 100, 120);  // lane 0 again
  const BlockLanes lanes = blockLanes(t);
  EXPECT_EQ(lanes.lanesPerSm, 3U);
  EXPECT_EQ(lanes.lane, (std::vector<uint32_t>{0, 1, 0, 1, 2, 0}));
  const auto own = lanes.blocksOf(0, 0);
  EXPECT_EQ(std::vector<uint32_t>(own.begin(), own.end()), (std::vector<uint32_t>{0, 5}));
  const auto second = lanes.blocksOf(0, 1);
  EXPECT_EQ(std::vector<uint32_t>(second.begin(), second.end()), (std::vector<uint32_t>{1, 3}));
  EXPECT_TRUE(lanes.blocksOf(1, 2).empty());
}

TEST(BlockLanes, WavesAreRanksByStart) {
  Timeline t = emptyTimeline(2, 2);
  addBlock(t, 0, 20, 40);  // Third to start, in the second wave.
  addBlock(t, 0, 0, 20);
  addBlock(t, 1, 0, 30);
  addBlock(t, 1, 30, 60);
  addBlock(t, 0, 40, 70);  // Last to start, in the third wave.
  const BlockLanes lanes = blockLanes(t);
  EXPECT_EQ(lanes.waveBlocks, 2U);
  EXPECT_EQ(lanes.wave, (std::vector<uint32_t>{1, 0, 0, 1, 2}));
}

TEST(BlockLanes, BlocksOfALaneDoNotOverlapAndLanesAreMinimal) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    const Timeline t = randomTimeline(seed, 300);
    const BlockLanes lanes = blockLanes(t);
    EXPECT_EQ(lanes.lanesPerSm, waves(t).blocksTogether);
    size_t seen = 0;
    for (uint32_t sm = 0; sm < t.multiprocessors; ++sm) {
      for (uint32_t lane = 0; lane < lanes.lanesPerSm; ++lane) {
        uint64_t end = 0;
        for (const uint32_t block : lanes.blocksOf(sm, lane)) {
          EXPECT_EQ(t.sm[block], sm);
          EXPECT_EQ(lanes.lane[block], lane);
          EXPECT_GE(t.startNs[block], end);
          end = std::max(t.endNs[block], t.startNs[block] + 1);
          ++seen;
        }
      }
    }
    EXPECT_EQ(seen, t.blocks());
  }
}

TEST(BlockLanes, TheLastWaveHasLastWaveBlocks) {
  for (const size_t blocks : {1U, 7U, 100U, 301U}) {
    const Timeline t = randomTimeline(3, blocks);
    const BlockLanes lanes = blockLanes(t);
    const uint32_t last = *std::ranges::max_element(lanes.wave);
    EXPECT_EQ(static_cast<uint64_t>(std::ranges::count(lanes.wave, last)), waves(t).lastWaveBlocks);
  }
}

TEST(ResidentSeries, AreasAreTheTotalBlockTime) {
  const Timeline t = randomTimeline(7, 400);
  const BlockLanes lanes = blockLanes(t);
  const auto blocks = residentBlocks(t);
  const auto waveSums = residentWaves(t, lanes);
  for (uint32_t sm = 0; sm < t.multiprocessors; ++sm) {
    for (const double ns : {0.0, 123.0, 500.5, 999.0}) {
      double count = 0, sum = 0;
      for (size_t b = 0; b < t.blocks(); ++b) {
        const double start = static_cast<double>(t.startNs[b]);
        const double end = static_cast<double>(std::max(t.endNs[b], t.startNs[b] + 1));
        if (t.sm[b] != sm || ns < start || ns >= end) continue;
        count += 1;
        sum += lanes.wave[b];
      }
      EXPECT_DOUBLE_EQ(blocks[sm].at(ns), count);
      EXPECT_NEAR(waveSums[sm].at(ns), sum, 1e-9);
    }
  }
}

TEST(ResidentSeries, WarpsAgreeWithResidentWarps) {
  Timeline t = randomTimeline(9, 200);
  for (size_t b = 0; b < t.blocks(); ++b)  // No block is too short for the clock.
    t.endNs[b] = std::max(t.endNs[b], t.startNs[b] + 1);
  const StepSeries series = residentWarpSeries(t);
  const std::vector<double> slices = residentWarps(t, 37);
  const double width = static_cast<double>(spanNs(t)) / 37;
  for (size_t i = 0; i < slices.size(); ++i) {
    const double from = static_cast<double>(i) * width;
    EXPECT_NEAR(series.mean(from, from + width), slices[i], 1e-9) << i;
  }
}

}  // namespace tilestep::metrics::block_lanes_test
