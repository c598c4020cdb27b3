// SPDX-License-Identifier: Apache-2.0
#include "metrics/limits.h"

#include <gtest/gtest.h>

namespace tilestep::metrics::limits_test {

/// 132 SMs at up to 1.98 GHz, with measured 63.6 TFLOP/s of FMA (docs/measurements).
DeviceRates h200() {
  DeviceRates rates;
  rates.multiprocessors = 132;
  rates.clockHz = 1.98e9;
  rates.fp32FlopPerSecond = 63.6e12;
  rates.dramBytesPerSecond = 4.26e12;
  rates.l2Bytes = 62'914'560;
  rates.computeMajor = 9;
  return rates;
}

constexpr double kOperations = 2.0 * 4096 * 4096 * 4096;
/// A number of blocks that keeps every SM equally busy.
constexpr uint64_t kEven = 132 * 10;

/// Counts per warp-level multiply-add, as counts of one of its 32 thread-level multiply-adds.
CountedWork perWarp(double wavefronts, double requests, double lines, double instructions) {
  CountedWork work;
  work.multiplyAdds = 32;
  work.sharedWavefronts = work.sharedLeast = wavefronts;
  work.globalRequests = requests;
  work.globalSectors = requests;
  work.globalLines = lines;
  work.warpInstructions = instructions;
  return work;
}

double teraflops(const Limits& limits) {
  return limits.predicted(kOperations) / 1e12;
}

LaunchShape even() {
  return {kOperations, kEven, 3 * 4096ULL * 4096 * 4};
}

TEST(Limits, TwoSharedLoadsAMultiplyAddAre84TeraflopsOnAnH200) {
  // 64 FLOP in 2 cycles of one SM: 32 * 132 * 1.98e9 = 8.364e12.
  const Limits limits = limitsOf(perWarp(2, 0, 0, 4), even(), h200()).value();
  EXPECT_EQ(limits.limit, Resource::shared);
  EXPECT_NEAR(teraflops(limits), 8.364, 0.001);
}

TEST(Limits, TheMeasuredRateIsInTheRangeOfMergedLoads) {
  // A broadcast (1 word) and 32 adjacent words need at least 1/4 and 1 wavefronts.
  CountedWork work = perWarp(2, 0, 0, 4);
  work.sharedLeast = leastWavefronts(1, 1, 4) + leastWavefronts(1, 32, 4);
  EXPECT_DOUBLE_EQ(work.sharedLeast, 1.25);
  const Limits limits = limitsOf(work, even(), h200()).value();
  EXPECT_NEAR(limits.merged(kOperations) / 1e12, 13.3816, 0.001);
  constexpr double kMeasured = 8.89;  // Tile width 32, matrix size 4096.
  EXPECT_LT(teraflops(limits), kMeasured);
  EXPECT_GT(limits.merged(kOperations) / 1e12, kMeasured);
}

TEST(Limits, WithMaximumMergingTheLeastTimeIsTheLimit) {
  CountedWork work = perWarp(2, 0, 0, 4);
  work.sharedLeast = 1;
  const Limits limits = limitsOf(work, even(), h200()).value();
  const Limits merged = mergedLimits(limits);
  EXPECT_DOUBLE_EQ(merged.seconds, limits.leastSeconds);
  EXPECT_DOUBLE_EQ(merged.of(Resource::shared)->seconds, limits.of(Resource::shared)->seconds / 2);
  EXPECT_DOUBLE_EQ(merged.of(Resource::issue)->seconds, limits.of(Resource::issue)->seconds);
}

TEST(Limits, LanesThatReadDownAColumnNeedALineEach) {
  // 32 lines and one line of the broadcast: 64 / 33 * 132 * 1.98e9.
  const Limits down = limitsOf(perWarp(0, 2, 33, 5.7), even(), h200()).value();
  EXPECT_EQ(down.limit, Resource::l1);
  EXPECT_NEAR(teraflops(down), 0.5069, 0.0001);
  // Along a row, the broadcast and the 32 adjacent words need a line each.
  const Limits along = limitsOf(perWarp(0, 2, 2, 5.7), even(), h200()).value();
  const PredictedGain gain = predictedGain(down, along);
  EXPECT_NEAR(gain.low, 16.5, 1e-9);
  EXPECT_DOUBLE_EQ(gain.low, gain.high);
}

TEST(Limits, WithoutCountedLinesSectorsGiveTheMinimum) {
  CountedWork work = perWarp(0, 2, 0, 5.7);
  work.globalLines.reset();
  work.globalSectors = 33;
  const Limits limits = limitsOf(work, even(), h200()).value();
  ASSERT_NE(limits.of(Resource::l1), nullptr);
  EXPECT_DOUBLE_EQ(limits.of(Resource::l1)->amount, 8.25);
  EXPECT_TRUE(limits.of(Resource::l1)->atLeast);
}

TEST(Limits, OtherInstructionsUseIssueSlots) {
  // 1.32 instructions at four per cycle take 0.33 cycles: 64 / 0.33 * 132 * 1.98e9.
  const Limits limits = limitsOf(perWarp(0.1, 0.1, 0.1, 1.32), even(), h200()).value();
  EXPECT_EQ(limits.limit, Resource::issue);
  EXPECT_NEAR(teraflops(limits), 50.69, 0.01);
}

TEST(Limits, MultiplyAddsAloneReachTheMeasuredCeiling) {
  const Limits limits = limitsOf(perWarp(0, 0, 0, 1), even(), h200()).value();
  EXPECT_EQ(limits.limit, Resource::fp32);
  EXPECT_NEAR(teraflops(limits), 63.6, 1e-9);
}

TEST(Limits, ThirtyTwoBlocksKeepThirtyTwoOf132SmsBusy) {
  EXPECT_DOUBLE_EQ(evennessOf(32, 132), 32.0 / 132);
  EXPECT_DOUBLE_EQ(evennessOf(132, 132), 1);
  EXPECT_DOUBLE_EQ(evennessOf(133, 132), 133.0 / 264);
  EXPECT_DOUBLE_EQ(evennessOf(1024, 132), 1024.0 / 1056);
  EXPECT_DOUBLE_EQ(evennessOf(0, 132), 1);
  LaunchShape shape = even();
  shape.blocks = 32;
  const Limits limits = limitsOf(perWarp(0, 0, 0, 1), shape, h200()).value();
  EXPECT_NEAR(teraflops(limits), 63.6 * 32 / 132, 1e-9);
}

TEST(Limits, DramCountsOnlyIfTheBuffersExceedL2) {
  LaunchShape shape = even();
  ASSERT_NE(limitsOf(perWarp(2, 0, 0, 4), shape, h200())->of(Resource::dram), nullptr);
  shape.bufferBytes = 3 * 1024ULL * 1024 * 4;
  EXPECT_EQ(limitsOf(perWarp(2, 0, 0, 4), shape, h200())->of(Resource::dram), nullptr);
}

TEST(Limits, L2AndDramUseHardwareCounts) {
  DeviceRates rates = h200();
  rates.l2BytesPerSecond = 7.68e12;
  LaunchShape shape = even();
  EXPECT_EQ(limitsOf(perWarp(2, 0, 0, 4), shape, rates)->of(Resource::l2), nullptr);
  shape.l2Bytes = 300e9;  // 39.1 ms, more than the 16.4 ms of shared memory.
  shape.dramBytes = 0;    // All data was in L2.
  const Limits limits = limitsOf(perWarp(2, 0, 0, 4), shape, rates).value();
  EXPECT_EQ(limits.limit, Resource::l2);
  EXPECT_NEAR(limits.seconds, 300e9 / 7.68e12, 1e-9);
  EXPECT_EQ(limits.of(Resource::dram)->seconds, 0);
}

TEST(Limits, UnknownLimitsAreOmitted) {
  DeviceRates old = h200();
  old.computeMajor = 3;
  const Limits limits = limitsOf(perWarp(2, 2, 2, 4), even(), old).value();
  EXPECT_EQ(limits.of(Resource::shared), nullptr);
  EXPECT_EQ(limits.of(Resource::issue), nullptr);
  EXPECT_EQ(limits.of(Resource::l1), nullptr);
  EXPECT_NE(limits.of(Resource::fp32), nullptr);
  EXPECT_FALSE(limitsOf(perWarp(2, 2, 2, 4), even(), DeviceRates{}));
  EXPECT_FALSE(limitsOf(CountedWork{}, even(), h200()));
  CountedWork uncounted = perWarp(2, 2, 2, 4);
  uncounted.warpInstructions.reset();
  EXPECT_EQ(limitsOf(uncounted, even(), h200())->of(Resource::issue), nullptr);
}

TEST(Limits, UncountedCopiesMakeSharedAndL1LowerBounds) {
  CountedWork work = perWarp(1, 0, 0, 1.2);
  work.copiesUncounted = true;
  const Limits limits = limitsOf(work, even(), h200()).value();
  EXPECT_TRUE(limits.of(Resource::shared)->atLeast);
  EXPECT_TRUE(limits.of(Resource::l1)->atLeast);
  EXPECT_FALSE(limits.of(Resource::issue)->atLeast);
}

TEST(Limits, TheRangeOfAGainUsesBothEndsOfBothLimits) {
  CountedWork before = perWarp(2, 0, 0, 1), after = perWarp(32, 0, 0, 1);
  before.sharedLeast = 1;
  after.sharedLeast = 8;
  const PredictedGain gain =
      predictedGain(*limitsOf(before, even(), h200()), *limitsOf(after, even(), h200()));
  EXPECT_NEAR(gain.low, 1.0 / 32, 1e-12);
  EXPECT_NEAR(gain.high, 2.0 / 8, 1e-12);
}

TEST(Limits, MergingCombinesFourNarrowAccessesButNoWideOnes) {
  EXPECT_DOUBLE_EQ(leastWavefronts(32, 32, 4),
                   8);  // A column: the conflict remains, but four accesses merge.
  EXPECT_DOUBLE_EQ(leastWavefronts(1, 32, 4), 1);  // Full rows fill their wavefronts.
  EXPECT_DOUBLE_EQ(leastWavefronts(2, 64, 8), 2);
  EXPECT_DOUBLE_EQ(leastWavefronts(4, 32, 16), 4);  // The widest access.
}

TEST(Limits, ALaunchThatOnlyMovesBytesIsLimitedByDram) {
  CountedWork work;
  work.warpInstructions = 1e6;
  work.globalRequests = 1e5;
  work.globalSectors = work.globalRequests * 4;
  work.globalLines = work.globalRequests;
  LaunchShape shape;
  shape.blocks = kEven;
  shape.bufferBytes = 426'000'000;
  EXPECT_FALSE(limitsOf(work, shape, h200())) << "no multiply-adds";
  const Limits limits = limitsOfLaunch(work, shape, h200()).value();
  EXPECT_EQ(limits.limit, Resource::dram);
  EXPECT_DOUBLE_EQ(limits.seconds, 1e-4);
  EXPECT_EQ(limits.of(Resource::fp32), nullptr);
  // 1e6 instructions, four per cycle on each of 132 SMs.
  EXPECT_DOUBLE_EQ(limits.of(Resource::issue)->seconds, 1e6 / 4 / 132 / 1.98e9);
  EXPECT_DOUBLE_EQ(limits.of(Resource::l1)->amount, 1e5);
}

TEST(Limits, LimitsOfALaunchEqualThoseOfItsMultiplyAdds) {
  CountedWork work = perWarp(2, 1, 1, 4);
  const double times = kOperations / 2 / 32;
  CountedWork whole;
  whole.multiplyAdds = 32 * times;
  whole.sharedWavefronts = whole.sharedLeast = 2 * times;
  whole.globalRequests = whole.globalSectors = times;
  whole.globalLines = times;
  whole.warpInstructions = 4 * times;
  const auto each = limitsOf(work, even(), h200()), all = limitsOfLaunch(whole, even(), h200());
  ASSERT_TRUE(each && all);
  ASSERT_EQ(each->times.size(), all->times.size());
  for (size_t i = 0; i < each->times.size(); ++i)
    EXPECT_NEAR(all->times[i].seconds / each->times[i].seconds, 1, 1e-12) << i;
}

}  // namespace tilestep::metrics::limits_test
