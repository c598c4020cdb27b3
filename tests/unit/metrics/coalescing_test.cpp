// SPDX-License-Identifier: Apache-2.0
#include "metrics/coalescing.h"

#include <gtest/gtest.h>

namespace tilestep::metrics {
namespace coalescing_test {

std::vector<uint32_t> strided(uint32_t lanes, uint32_t stride, uint32_t start = 0) {
  std::vector<uint32_t> offsets;
  for (uint32_t lane = 0; lane < lanes; ++lane) offsets.push_back(start + lane * stride);
  return offsets;
}

TEST(Coalescing, NeighbouringFloatsTakeFourSectorsOfOneLine) {
  const Coalescing request = coalesce(strided(32, 4), 4);
  EXPECT_EQ(request.sectors.size(), 4U);
  EXPECT_EQ(request.lines, 1U);
  EXPECT_EQ(request.askedBytes, 128U);
  EXPECT_EQ(request.distinctBytes, 128U);
  EXPECT_DOUBLE_EQ(request.usefulShare(), 1);
  EXPECT_DOUBLE_EQ(request.loadEfficiency(), 1);
}

TEST(Coalescing, IdealSectorsFollowTheWidth) {
  EXPECT_EQ(idealSectors(32, 4), 4U);
  EXPECT_EQ(idealSectors(32, 8), 8U);
  EXPECT_EQ(idealSectors(32, 16), 16U);
  EXPECT_EQ(coalesce(strided(32, 16), 16).sectors.size(), 16U);
  EXPECT_EQ(idealSectors(1, 4), 1U);
}

TEST(Coalescing, AShiftOfOneElementTakesOneSectorMore) {
  const Coalescing request = coalesce(strided(32, 4, 4), 4);
  EXPECT_EQ(request.sectors.size(), 5U);
  EXPECT_EQ(request.lines, 2U);
  EXPECT_EQ(request.distinctBytes, 128U);
  EXPECT_DOUBLE_EQ(request.usefulShare(), 128.0 / 160);
}

TEST(Coalescing, AColumnOfAWideMatrixTakesASectorALane) {
  const Coalescing request = coalesce(strided(32, 4096), 4);
  EXPECT_EQ(request.sectors.size(), 32U);
  EXPECT_EQ(request.lines, 32U);
  EXPECT_DOUBLE_EQ(request.usefulShare(), 0.125);
}

TEST(Coalescing, ABroadcastMovesOneSectorAndItsEfficiencyCountsEveryLane) {
  const Coalescing request = coalesce(strided(32, 0, 64), 4);
  ASSERT_EQ(request.sectors.size(), 1U);
  EXPECT_EQ(request.sectors[0].address, 64U);
  EXPECT_EQ(request.sectors[0].lanes.size(), 32U);
  EXPECT_EQ(request.distinctBytes, 4U);
  EXPECT_DOUBLE_EQ(request.usefulShare(), 0.125);
  EXPECT_DOUBLE_EQ(request.loadEfficiency(), 4);
}

// One warp of the naive product, 16 x 16 block, row stride 4096 bytes: two rows of M (a broadcast
// each) and one half row of N. Both loads together read 200 %.
TEST(Coalescing, NaiveLoadEfficiencyIsTwoHundredPercentWithSquareBlocks) {
  std::vector<uint32_t> m, n;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    m.push_back(lane / 16 * 4096);
    n.push_back(lane % 16 * 4);
  }
  const Coalescing first = coalesce(m, 4), second = coalesce(n, 4);
  EXPECT_EQ(first.sectors.size() + second.sectors.size(), 4U);
  const double asked = static_cast<double>(first.askedBytes + second.askedBytes);
  EXPECT_DOUBLE_EQ(asked / static_cast<double>(first.movedBytes() + second.movedBytes()), 2.0);
  EXPECT_LE(second.usefulShare(), 1.0);
}

TEST(Coalescing, AnEmptyRequestMovesNothing) {
  const Coalescing request = coalesce(std::vector<uint32_t>{}, 4);
  EXPECT_TRUE(request.sectors.empty());
  EXPECT_EQ(request.usefulShare(), 0);
  EXPECT_EQ(request.loadEfficiency(), 0);
}

TEST(Coalescing, AnAccessAcrossASectorBorderTouchesBoth) {
  const Coalescing request = coalesce(std::vector<uint64_t>{28}, 8);
  ASSERT_EQ(request.sectors.size(), 2U);
  EXPECT_EQ(request.sectors[1].address, 32U);
  EXPECT_EQ(request.distinctBytes, 8U);
}

}  // namespace coalescing_test
}  // namespace tilestep::metrics
