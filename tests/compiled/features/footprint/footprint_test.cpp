// SPDX-License-Identifier: Apache-2.0
#include "features/footprint/footprint.h"

#include <gtest/gtest.h>

#include <tuple>
#include <utility>

#include "unit/features/divergence/traced_here.h"

namespace tilestep::features::footprint_test {

constexpr size_t kLoads = 0, kStores = 1;

std::shared_ptr<const TracedKernel> matrixSum(int64_t x, int64_t y) {
  return tracedHere("matrix_sum", {{"m", 256}, {"n", 64}}, {{"BLOCK_X", x}, {"BLOCK_Y", y}});
}
/// One block with two warps.
std::shared_ptr<const TracedKernel> copy(int64_t offset, int64_t stride) {
  return tracedHere("strided_copy", {{"n", 64}},
                    {{"BLOCK", 64}, {"OFFSET", offset}, {"STRIDE", stride}});
}
CountsByKind allOf(const Footprint& footprint) {
  return footprint.countsOf(footprint.requests.size());
}

TEST(Footprint, AMatrixSumHasTwoLoadsAndAStoreForEachWarp) {
  const auto kernel = matrixSum(32, 32);
  ASSERT_TRUE(kernel);
  const Footprint footprint = footprintOf(*kernel);
  EXPECT_EQ(footprint.requests.size(), 32U * 3);
  const CountsByKind counts = allOf(footprint);
  EXPECT_EQ(counts[kLoads], (AccessCounts{64, 64 * 4, 64, 64 * 128, 64 * 128}));
  EXPECT_EQ(counts[kStores], (AccessCounts{32, 32 * 4, 32, 32 * 128, 32 * 128}));
  EXPECT_EQ(footprint.operands.size(), 3U);
}

struct Shape {
  int64_t x, y;
  uint64_t sectors, lines;  ///< Of each load.
};

TEST(Footprint, RowsOfEightFloatsFillSectorsButNotLines) {
  for (const Shape& shape : {Shape{32, 8, 4, 1}, Shape{16, 16, 4, 2}, Shape{8, 32, 4, 4},
                             Shape{4, 64, 8, 8}, Shape{1, 256, 32, 32}}) {
    SCOPED_TRACE(shape.x);
    const auto kernel = matrixSum(shape.x, shape.y);
    ASSERT_TRUE(kernel);
    const CountsByKind counts = allOf(footprintOf(*kernel));
    const AccessCounts& loads = counts[kLoads];
    EXPECT_EQ(loads.requests, 16U);
    EXPECT_EQ(loads.sectorsARequest(), static_cast<double>(shape.sectors));
    EXPECT_EQ(loads.linesARequest(), static_cast<double>(shape.lines));
    EXPECT_EQ(loads.usefulShare(), 4.0 / static_cast<double>(shape.sectors));
    EXPECT_EQ(loads.usefulShareOfLines(), 1.0 / static_cast<double>(shape.lines));
  }
}

TEST(Footprint, AnOffsetCostsASectorUnlessItIsAligned) {
  for (const auto& [offset, sectors, lines] :
       {std::tuple{0, 4U, 1U}, {1, 5U, 2U}, {7, 5U, 2U}, {8, 4U, 2U}, {31, 5U, 2U}}) {
    SCOPED_TRACE(offset);
    const auto kernel = copy(offset, 1);
    ASSERT_TRUE(kernel);
    const Footprint footprint = footprintOf(*kernel);
    const AccessCounts& load = footprint.requests.front().counts;
    EXPECT_EQ(load.sectors, sectors);
    EXPECT_EQ(load.lines, lines);
    EXPECT_EQ(allOf(footprint)[kStores].sectorsARequest(), 4) << "stores are aligned";
  }
}

/// Each launch here has one block, so that its trace and the counts of the grid cover the same
/// block.
TEST(Footprint, CountsEqualTheInterpreters) {
  for (const auto& kernel : {copy(5, 3), tracedHere("points_aos", {{"n", 50}}, {{"BLOCK", 64}}),
                             tracedHere("matmul_naive", {{"m", 8}, {"n", 8}, {"k", 8}},
                                        {{"BLOCK_X", 8}, {"BLOCK_Y", 8}})}) {
    ASSERT_TRUE(kernel);
    const CountsByKind counts = allOf(footprintOf(*kernel));
    const trace::Counters& total = kernel->result->counters->total;
    for (const auto& [own, theirs] : {std::pair{counts[kLoads], total.globalLoad},
                                      std::pair{counts[kStores], total.globalStore}}) {
      EXPECT_EQ(own.requests, theirs.requests);
      EXPECT_EQ(own.sectors, theirs.sectors);
      EXPECT_EQ(own.askedBytes, theirs.bytes);
      EXPECT_EQ(own.distinctBytes, theirs.distinctBytes);
    }
  }
}

TEST(Footprint, FindsTheFirstRequestAndItsStep) {
  const auto kernel = copy(4, 1);
  ASSERT_TRUE(kernel);
  const Footprint footprint = footprintOf(*kernel);
  const OperandFootprint& in = footprint.operands.front();
  EXPECT_EQ(in.name, "A");
  EXPECT_EQ(in.elements, 68U);
  EXPECT_EQ(in.columns, 0U) << "an array has no rows";
  ASSERT_EQ(in.asked.size(), 64U);
  EXPECT_EQ(in.asked.front().index, 4U);
  EXPECT_EQ(in.asked[31].warp, 0U);
  EXPECT_EQ(in.asked[32].warp, 1U);
  ASSERT_EQ(in.moved.size(), 9U);
  EXPECT_EQ(in.moved[4].request, in.asked[31].request) << "both warps need it, the first moves it";
  EXPECT_FALSE(Footprint().lastAt(7));
  EXPECT_EQ(footprint.lastAt(footprint.requests[1].event), 1U);
  EXPECT_EQ(footprint.countsOf(1)[kLoads].requests, 1U);
  EXPECT_EQ(footprint.countsOf(0), CountsByKind());
}

TEST(Footprint, ARequestsPictureHasEachLane) {
  const auto kernel = copy(0, 2);
  ASSERT_TRUE(kernel);
  const RequestPicture picture = pictureOf(*kernel, footprintOf(*kernel).requests.front());
  ASSERT_EQ(picture.lanes.size(), 32U);
  EXPECT_EQ(picture.lanes[3].lane, 3U);
  EXPECT_EQ(picture.lanes[3].offset, 3U * 2 * 4);
  EXPECT_EQ(picture.coalescing.sectors.size(), 8U);
  EXPECT_EQ(globalName(*kernel, picture.request.buffer, 3 * 2 * 4), "A[6]") << "it has no rows";
  const auto sum = matrixSum(32, 8);
  ASSERT_TRUE(sum);
  EXPECT_EQ(globalName(*sum, 0, (64 * 2 + 5) * 4), "M[2][5]");
}

}  // namespace tilestep::features::footprint_test
