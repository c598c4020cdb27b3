// SPDX-License-Identifier: Apache-2.0
#include "metrics/coalescing.h"

#include <gtest/gtest.h>

namespace tilestep::metrics::coalescing_test {

std::vector<uint32_t> strided(uint32_t lanes, uint32_t stride, uint32_t start = 0) {
  std::vector<uint32_t> offsets;
  for (uint32_t lane = 0; lane < lanes; ++lane) offsets.push_back(start + lane * stride);
  return offsets;
}

TEST(Coalescing, RequestsOfAWarp) {
  const struct {
    const char* what;
    std::vector<uint32_t> offsets;
    uint32_t width;
    size_t sectors, lines, ideal;
    uint64_t distinctBytes;
    double usefulShare, loadEfficiency;
  } cases[] = {
      {"neighbouring floats", strided(32, 4), 4, 4, 1, 4, 128, 1, 1},
      {"shifted by an element", strided(32, 4, 4), 4, 5, 2, 4, 128, 0.8, 0.8},
      {"neighbouring doubles", strided(32, 8), 8, 8, 2, 8, 256, 1, 1},
      {"neighbouring float4", strided(32, 16), 16, 16, 4, 16, 512, 1, 1},
      {"a column of a wide matrix", strided(32, 4096), 4, 32, 32, 4, 128, 0.125, 0.125},
      {"a broadcast", strided(32, 0, 64), 4, 1, 1, 4, 4, 0.125, 4},
      {"across a sector's border", {28}, 8, 2, 1, 1, 8, 0.125, 0.125},
      {"no lane", {}, 4, 0, 0, 0, 0, 0, 0},
  };
  for (const auto& each : cases) {
    SCOPED_TRACE(each.what);
    const auto lanes = static_cast<uint32_t>(each.offsets.size());
    const Coalescing request = coalesce(each.offsets, each.width);
    EXPECT_EQ(request.sectors.size(), each.sectors);
    EXPECT_EQ(request.lines, each.lines);
    EXPECT_EQ(idealSectors(lanes, each.width), each.ideal);
    EXPECT_EQ(request.askedBytes, uint64_t{lanes} * each.width);
    EXPECT_EQ(request.distinctBytes, each.distinctBytes);
    EXPECT_DOUBLE_EQ(request.usefulShare(), each.usefulShare);
    EXPECT_DOUBLE_EQ(request.loadEfficiency(), each.loadEfficiency);
  }
}

TEST(Coalescing, SectorsHaveTheirAddressAndLanes) {
  const Coalescing request = coalesce(strided(32, 0, 64), 4);
  ASSERT_EQ(request.sectors.size(), 1U);
  EXPECT_EQ(request.sectors[0].address, 64U);
  EXPECT_EQ(request.sectors[0].lanes.size(), 32U);
  EXPECT_EQ(coalesce(std::vector<uint64_t>{28}, 8).sectors[1].address, 32U);
}

// A warp of the naive product with 16 x 16 blocks and a row stride of 4096 bytes. It loads from two
// rows of M, each a broadcast, and half a row of N.
TEST(Coalescing, NaiveLoadEfficiencyIsTwoHundredPercentWithSquareBlocks) {
  std::vector<uint32_t> m, n;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    m.push_back(lane / 16 * 4096);
    n.push_back(lane % 16 * 4);
  }
  const Coalescing first = coalesce(m, 4), second = coalesce(n, 4);
  EXPECT_EQ(first.askedBytes + second.askedBytes, 2 * (first.movedBytes() + second.movedBytes()));
}

}  // namespace tilestep::metrics::coalescing_test
