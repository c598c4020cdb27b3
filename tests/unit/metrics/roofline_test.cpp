// SPDX-License-Identifier: Apache-2.0
#include "metrics/roofline.h"

#include <gtest/gtest.h>

namespace tilestep::metrics::roofline_test {

TEST(Roofline, TheRidgeOfAnA100IsTwelveAndAHalf) {
  EXPECT_NEAR(ridgePoint(19500e9, 1555e9), 12.5, 0.05);
}

/// The course's worked examples.
TEST(Roofline, TheNaiveLoopIsLimitedToAQuarterFlopPerByte) {
  constexpr double kNaive = 0.25;  // Two operations for two accesses of 4 bytes.
  // GeForce 8800 GTX: 86.4 GB/s, 367 GFLOPS.
  EXPECT_DOUBLE_EQ(attainable(kNaive, 367e9, 86.4e9), 21.6e9);
  EXPECT_DOUBLE_EQ(attainable(kNaive * 16, 367e9, 86.4e9), 345.6e9) << "16 x 16 tiles";
  // A device with 200 GB/s and 1500 GFLOPS.
  EXPECT_DOUBLE_EQ(attainable(kNaive, 1500e9, 200e9), 50e9);
  EXPECT_DOUBLE_EQ(ridgePoint(1500e9, 200e9) / kNaive, 30);
  // An A100 reaches 2 % of its peak. At the ridge point it needs 50 operations per operand.
  const RoofDistance a100 = distanceTo(388.75e9, kNaive, 19500e9, 1555e9);
  EXPECT_NEAR(a100.peakShare, 0.02, 0.0001);
  EXPECT_DOUBLE_EQ(a100.share, 1);
  EXPECT_TRUE(a100.byMemory);
  EXPECT_NEAR(ridgePoint(19500e9, 1555e9) * 4, 50, 0.2);
}

TEST(Roofline, TheRoofIsTheSlopeLeftOfTheRidgeAndThePeakRightOfIt) {
  const RoofDistance left = distanceTo(5e12, 0.5, 65e12, 28.9e12);
  EXPECT_DOUBLE_EQ(left.attainable, 14.45e12);
  EXPECT_NEAR(left.share, 0.346, 0.001);
  EXPECT_NEAR(left.peakShare, 0.0769, 0.0001);
  const RoofDistance right = distanceTo(5e12, 170, 65e12, 4.5e12);
  EXPECT_DOUBLE_EQ(right.attainable, 65e12);
  EXPECT_FALSE(right.byMemory);
  EXPECT_EQ(right.share, right.peakShare);
}

TEST(Roofline, SharedMemoryHasAPointOnlyFromHardwareWavefronts) {
  trace::Counters counts;
  counts.sharedLoad.wavefronts = 67108864;  // PTX counts give no point.
  RooflineWork work;
  work.operations = 2.0 * (1ULL << 30);
  work.seconds = 0.2377e-3;
  EXPECT_TRUE(rooflinePoints(counts, work).empty());
  work.sharedBytes = (50331648ULL + 2097152ULL) * kWavefrontBytes;
  work.hardwareCold = true;
  work.coldSeconds = 1;
  const auto points = rooflinePoints(counts, work);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].level, Level::shared);
  EXPECT_NEAR(points[0].intensity.value, 0.32, 1e-9);
  EXPECT_FALSE(points[0].coldBytes) << "caches do not change wavefronts";
  EXPECT_NEAR(points[0].performance->value, 9.034e12, 0.001e12);
  EXPECT_EQ(roofOf(Level::shared), Level::shared);
  EXPECT_EQ(roofOf(Level::lanes), Level::dram);
}

/// The counts of the naive product at N = 1024 with 16 x 16 blocks.
trace::Counters naiveCounts() {
  trace::Counters total;
  total.globalLoad.bytes = 8ULL << 30;
  total.globalLoad.sectors = 134217728;
  total.globalStore.bytes = 4ULL << 20;
  total.globalStore.sectors = 131072;
  return total;
}

TEST(Roofline, EachLevelHasItsOwnIntensity) {
  RooflineWork work;
  work.operations = 2.0 * (1ULL << 30);
  work.compulsoryBytes = 3ULL << 22;
  work.seconds = 0.5e-3;
  const auto points = rooflinePoints(naiveCounts(), work);
  ASSERT_EQ(points.size(), 3U);
  EXPECT_EQ(points[0].level, Level::lanes);
  EXPECT_NEAR(points[0].intensity.value, 0.25, 0.001);
  EXPECT_EQ(points[0].bytes.origin, Origin::counted);
  EXPECT_EQ(points[1].level, Level::l1);
  EXPECT_NEAR(points[1].intensity.value, 0.5, 0.001);
  EXPECT_EQ(points[2].level, Level::dram);
  EXPECT_TRUE(points[2].hollow);
  EXPECT_EQ(points[2].bytes.origin, Origin::computed);
  EXPECT_NEAR(points[2].intensity.value, 170.67, 0.01);
  EXPECT_NEAR(points[0].performance->value, 4.295e12, 0.001e12);
  EXPECT_EQ(points[0].performance->origin, Origin::measured);
}

TEST(Roofline, HardwareCountersMakeL2AndDramSolid) {
  RooflineWork work;
  work.operations = 2.0 * (1ULL << 30);
  work.compulsoryBytes = 3ULL << 22;
  work.l2Bytes = 1ULL << 29;
  work.dramBytes = 1ULL << 24;
  work.hardware = "hardware counters of some GPU";
  const auto points = rooflinePoints(naiveCounts(), work);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[2].level, Level::l2);
  EXPECT_NEAR(points[2].intensity.value, 4, 1e-9);
  EXPECT_EQ(points[2].bytes.origin, Origin::counted);
  EXPECT_EQ(points[2].bytes.from, "hardware counters of some GPU");
  EXPECT_EQ(points[3].level, Level::dram);
  EXPECT_FALSE(points[3].hollow);
  EXPECT_NEAR(points[3].intensity.value, 128, 1e-9);
  work.dramBytes.reset();
  EXPECT_TRUE(rooflinePoints(naiveCounts(), work).back().hollow);
}

TEST(Roofline, BytesOfColdCachesUseTimesOfColdCaches) {
  RooflineWork work;
  work.operations = 1e9;
  work.l2Bytes = 1ULL << 29;
  work.dramBytes = 1ULL << 24;
  work.hardwareCold = true;
  work.seconds = 1e-3;
  work.measuredOn = "warm";
  auto points = rooflinePoints(naiveCounts(), work);
  ASSERT_EQ(points.size(), 4U);
  EXPECT_TRUE(points[3].coldBytes);
  EXPECT_FALSE(points[3].coldPerformance) << "cold bytes with a warm time";
  EXPECT_EQ(points[3].performance->from, "warm");
  work.coldSeconds = 2e-3;
  work.coldMeasuredOn = "cold";
  points = rooflinePoints(naiveCounts(), work);
  for (const RooflinePoint& point : points) {
    const bool cold = point.level == Level::l2 || point.level == Level::dram;
    EXPECT_EQ(point.coldBytes, cold) << toText(point.level);
    EXPECT_EQ(point.coldPerformance, cold) << toText(point.level);
    EXPECT_NEAR(point.performance->value, cold ? 0.5e12 : 1e12, 1) << toText(point.level);
    EXPECT_EQ(point.performance->from, cold ? "cold" : "warm");
  }
  work.hardwareCold = false;
  points = rooflinePoints(naiveCounts(), work);
  EXPECT_FALSE(points[2].coldBytes || points[2].coldPerformance);
  EXPECT_EQ(points[2].performance->from, "warm");
  // The compulsory minimum applies to cold caches.
  work.dramBytes.reset();
  work.compulsoryBytes = 1000;
  points = rooflinePoints(naiveCounts(), work);
  EXPECT_TRUE(points[3].hollow && points[3].coldPerformance);
}

TEST(Roofline, WithoutATimeThereIsNoPerformance) {
  RooflineWork work;
  work.operations = 1;
  const auto points = rooflinePoints(naiveCounts(), work);
  ASSERT_EQ(points.size(), 2U) << "no DRAM point without compulsory bytes";
  EXPECT_FALSE(points[0].performance);
  EXPECT_FALSE(points[1].hollow);
}

}  // namespace tilestep::metrics::roofline_test
