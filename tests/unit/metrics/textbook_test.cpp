// SPDX-License-Identifier: Apache-2.0
#include "metrics/textbook.h"

#include <gtest/gtest.h>

#include "metrics/roofline.h"

namespace tilestep::metrics {
namespace {

constexpr double kGiga = 1e9;

TEST(Textbook, TheNaiveLoopHasRatioOne) {
  EXPECT_DOUBLE_EQ(computeToAccessRatio(2, 2), 1);
  EXPECT_DOUBLE_EQ(flopPerByte(1), 0.25);
}

TEST(Textbook, Geforce8800Bounds) {
  EXPECT_NEAR(memoryBound(86.4 * kGiga, 1) / kGiga, 21.6, 1e-9);
  EXPECT_NEAR(memoryBound(86.4 * kGiga, 16) / kGiga, 345.6, 1e-9);
}

TEST(Textbook, ADeviceOf200GbNeedsRatioThirty) {
  EXPECT_NEAR(memoryBound(200 * kGiga, 1) / kGiga, 50, 1e-9);
  EXPECT_NEAR(ratioForPeak(1500 * kGiga, 200 * kGiga), 30, 1e-9);
}

TEST(Textbook, A100NaiveIsTwoPercentOfPeak) {
  const double bound = memoryBound(1555 * kGiga, 1);
  EXPECT_NEAR(bound / kGiga, 389, 0.5);
  EXPECT_NEAR(bound / (19500 * kGiga), 0.02, 0.0005);
  EXPECT_NEAR(ratioForPeak(19500 * kGiga, 1555 * kGiga), 50, 0.2);
}

TEST(Textbook, SixteenWideTilesGiveFourFlopPerByte) {
  constexpr uint64_t kN = 1024;
  const auto loads = static_cast<double>(tiledLoads(kN, kN, kN, 16));
  EXPECT_DOUBLE_EQ(flopPerByte(computeToAccessRatio(2.0 * kN * kN * kN, loads)), 4);
}

TEST(Textbook, TilesCutLoadsByTheirWidth) {
  for (const uint64_t width : {1, 2, 4, 8, 16, 32}) {
    EXPECT_EQ(naiveLoads(64, 64, 64), width * tiledLoads(64, 64, 64, width)) << width;
  }
  // 2 x 2 blocks of 2 x 2 tiles: 128 loads become 64, of the whole grid.
  EXPECT_EQ(naiveLoads(4, 4, 4), 128U);
  EXPECT_EQ(tiledLoads(4, 4, 4, 2), 64U);
}

TEST(Textbook, GuardedTilesLoadEachElementOncePerTileAcross) {
  EXPECT_EQ(tiledLoads(100, 37, 61, 16), 100U * 61 * 3 + 61U * 37 * 7);
  EXPECT_EQ(tiledPhases(61, 16), 4U);
  EXPECT_EQ(tiledPhases(64, 16), 4U);
}

TEST(Textbook, LittlesLaw) {
  EXPECT_DOUBLE_EQ(neededParallelism(20, 32), 640);
}

}  // namespace
}  // namespace tilestep::metrics
