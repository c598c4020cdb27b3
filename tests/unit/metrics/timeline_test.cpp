// SPDX-License-Identifier: Apache-2.0
// Formulas, compared with results computed by hand.
#include "metrics/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "timelines.h"

namespace tilestep::metrics::timeline_test {

using trace::Timeline;

TEST(Timeline, OneBlockCountsOnlyOnItsMultiprocessor) {
  Timeline t = emptyTimeline(4, 2);
  addBlock(t, 3, 0, 100, 25);
  // 2 of 8 warps on the only active SM.
  EXPECT_DOUBLE_EQ(achievedOccupancy(t), 0.25);
  EXPECT_DOUBLE_EQ(barrierWaitShare(t), 0.25);
  EXPECT_EQ(spanNs(t), 100U);
  const Waves w = waves(t);
  EXPECT_EQ(w.usedMultiprocessors, 1U);
  EXPECT_EQ(w.blocksTogether, 1U);
  EXPECT_DOUBLE_EQ(w.waves, 0.25);
  EXPECT_EQ(w.lastWaveBlocks, 1U);
  EXPECT_DOUBLE_EQ(w.tailShare, 0);
}

TEST(Timeline, ATailLeavesMultiprocessorsIdle) {
  Timeline t = emptyTimeline(2, 4);
  addBlock(t, 0, 0, 100);
  addBlock(t, 1, 0, 100);
  addBlock(t, 0, 100, 200);  // Starts when the first block ends, so they do not overlap.
  const Waves w = waves(t);
  EXPECT_EQ(w.blocksTogether, 1U);
  EXPECT_DOUBLE_EQ(w.waves, 1.5);
  EXPECT_EQ(w.lastWaveBlocks, 1U);
  EXPECT_DOUBLE_EQ(w.tailShare, 0.5);
  // 4 of 8 warps on each active SM. The idle SM does not count.
  EXPECT_DOUBLE_EQ(achievedOccupancy(t), 0.5);
}

TEST(Timeline, WarpsThatEndEarlyLowerTheOccupancy) {
  Timeline t = emptyTimeline(1, 2);
  addBlock(t, 0, 0, 100);
  t.busyWarpCycles[0] = 100 + 50;
  EXPECT_DOUBLE_EQ(achievedOccupancy(t), 150.0 / 800);
  EXPECT_EQ(residentWarps(t, 1), std::vector<double>{1.5});
}

TEST(Timeline, ResidentWarpsOverTimeSumToTheWarpsTime) {
  Timeline t = emptyTimeline(2, 4);
  addBlock(t, 0, 0, 100);
  addBlock(t, 1, 50, 200);
  EXPECT_EQ(residentWarps(t, 4), (std::vector<double>{4, 8, 4, 4}));
  EXPECT_EQ(residentWarps(t, 4, 0), (std::vector<double>{4, 4, 0, 0}));
  // Slices that do not divide the span.
  const std::vector<double> thirds = residentWarps(t, 3);
  EXPECT_NEAR(std::accumulate(thirds.begin(), thirds.end(), 0.0) * 200 / 3, 4 * 250, 1e-6);
  EXPECT_TRUE(residentWarps(t, 0).empty());
}

/// Two blocks of two warps. Both blocks have two phases of two epochs and a last epoch, all stored.
Timeline withEpochs() {
  Timeline t = emptyTimeline(1, 2);
  addBlock(t, 0, 0, 100);
  addBlock(t, 0, 100, 300);
  t.phases = 2;
  t.epochsPerPhase = 2;
  t.epochs = 5;
  t.epochStep = 1;
  t.epochBusy = {20, 40, 20, 40, 8, 60, 80, 60, 80, 16};
  t.epochWait = {10, 20, 30, 40, 0, 10, 20, 30, 40, 0};
  return t;
}

TEST(Timeline, EpochCyclesAreMeansOverWarps) {
  const std::vector<EpochCycles> epochs = epochCycles(withEpochs());
  ASSERT_EQ(epochs.size(), 5U);
  EXPECT_DOUBLE_EQ(epochs[0].busy, (20 + 60) / 4.0);
  EXPECT_DOUBLE_EQ(epochs[3].wait, (40 + 40) / 4.0);
  EXPECT_DOUBLE_EQ(epochs[4].busy, (8 + 16) / 4.0);
}

TEST(Timeline, PhasesFoldIntoLoadAndCompute) {
  const std::vector<EpochCycles> phase = phaseEpochCycles(withEpochs());
  ASSERT_EQ(phase.size(), 2U);
  EXPECT_DOUBLE_EQ(phase[0].busy, 20);
  EXPECT_DOUBLE_EQ(phase[1].busy, 30);
  EXPECT_DOUBLE_EQ(phase[0].wait, (5 + 15) / 2.0);
  EXPECT_DOUBLE_EQ(phase[1].wait, (10 + 20) / 2.0);
  Timeline unknown = withEpochs();
  unknown.phases = unknown.epochsPerPhase = 0;
  EXPECT_TRUE(phaseEpochCycles(unknown).empty());
}

TEST(Timeline, SomeEpochsMayPrecedeThePhases) {
  Timeline t = withEpochs();
  t.epochsBefore = 1;  // Epochs 1 and 3 are first in their phase, 2 and 4 second.
  const std::vector<EpochCycles> phase = phaseEpochCycles(t);
  ASSERT_EQ(phase.size(), 2U);
  EXPECT_DOUBLE_EQ(phase[0].busy, (40 + 40 + 80 + 80) / 8.0);
  EXPECT_DOUBLE_EQ(phase[1].busy, (20 + 8 + 60 + 16) / 8.0);
  EXPECT_DOUBLE_EQ(phase[0].wait, (20 + 40 + 20 + 40) / 8.0);
  EXPECT_DOUBLE_EQ(phase[1].wait, (30 + 0 + 30 + 0) / 8.0);
  t.epochsBefore = 5;  // The launch ended before its first phase.
  EXPECT_TRUE(phaseEpochCycles(t).empty());
}

TEST(Timeline, EpochsFillTheirBlockFromStartToEnd) {
  const std::vector<EpochSpan> spans = epochSpans(withEpochs(), 1);
  ASSERT_EQ(spans.size(), 5U);
  EXPECT_DOUBLE_EQ(spans.front().startNs, 100);
  EXPECT_NEAR(spans.back().endNs, 300, 1e-9);
  // 396 warp-cycles of the row over 200 ns.
  EXPECT_NEAR(spans[0].waitNs, 100 + 60 * 200.0 / 396, 1e-9);
  EXPECT_NEAR(spans[0].endNs, 100 + 70 * 200.0 / 396, 1e-9);
  EXPECT_TRUE(epochSpans(withEpochs(), 2).empty());
}

TEST(Timeline, WithoutStoredEpochsResultsAreEmpty) {
  Timeline t = emptyTimeline(1, 2);
  addBlock(t, 0, 0, 100);
  EXPECT_TRUE(epochCycles(t).empty());
  EXPECT_TRUE(phaseEpochCycles(t).empty());
  EXPECT_TRUE(epochSpans(t, 0).empty());
}

}  // namespace tilestep::metrics::timeline_test
