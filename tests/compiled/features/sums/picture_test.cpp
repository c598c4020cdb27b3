// SPDX-License-Identifier: Apache-2.0
#include "features/sums/picture.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "unit/features/divergence/traced_here.h"

namespace tilestep::features::sum_picture_test {

SumTree treeOf(const char* kernel, int64_t n) {
  const auto traced = tracedHere(kernel, {{"n", n}}, {{"BLOCK", 64}});
  return traced ? sumTreeOf(*traced) : SumTree{};
}

TEST(SumPicture, RowsHaveSumsAndKeptElements) {
  const SumTree tree = treeOf("reduce_interleaved", 64);
  ASSERT_EQ(tree.rows.size(), 8U);
  const SumPicture picture = sumPictureOf(tree);
  ASSERT_EQ(picture.rows.size(), 8U);
  const RowPicture& first = picture.rows[1];
  EXPECT_EQ(first.name, "distance 32");
  EXPECT_EQ(first.counts[0], "32");
  EXPECT_EQ(first.columns.size(), 32U);
  EXPECT_EQ(first.apart, 1U);
  EXPECT_TRUE(first.kept.empty()) << "elements from 32 on are not read again";
  EXPECT_EQ(picture.rows[6].apart, 64U) << "a single sum";
  EXPECT_EQ(picture.names.size(), 8U);
}

TEST(SumPicture, KeepsElementsOfLaterRows) {
  const SumTree tree = treeOf("reduce_neighbored", 64);
  ASSERT_EQ(tree.rows.size(), 8U);
  const SumPicture picture = sumPictureOf(tree);
  EXPECT_EQ(picture.rows[3].apart, 8U);
  // Sums are at multiples of 8. Each sum of this row is the left neighbour of another.
  EXPECT_TRUE(picture.rows[3].kept.empty());
  // Without the third row's sums, their elements would be kept for the fourth row.
  SumTree fewer = tree;
  fewer.rows[3].sums.resize(1);
  EXPECT_EQ(
      sumPictureOf(fewer).rows[3].kept,
      (std::vector<ElementRun>{{8, 1}, {16, 1}, {24, 1}, {32, 1}, {40, 1}, {48, 1}, {56, 1}}));
}

TEST(SumPicture, OrdersSumsByTheirColumns) {
  SumTree tree;
  tree.count = 8;
  SumRow row;
  for (const uint32_t column : {6U, 1U, 6U, 3U}) {
    Sum sum;
    sum.place.offset = 4 * column;
    sum.inArray = true;
    row.sums.push_back(tree.sums.size());
    tree.sums.push_back(sum);
  }
  tree.rows = {row};
  const SumPicture picture = sumPictureOf(tree);
  EXPECT_EQ(picture.rows[0].columns, (std::vector<uint32_t>{6, 1, 6, 3}));
  EXPECT_EQ(picture.rows[0].byColumn, (std::vector<size_t>{1, 3, 0, 2}));
  EXPECT_EQ(picture.rows[0].apart, 2U);
}

TEST(RowTimes, AStepMayBeSeveralRows) {
  const auto kernel = tracedHere("reduce_unroll_warp", {{"n", 512}}, {{"BLOCK", 64}});
  ASSERT_TRUE(kernel);
  const SumTree tree = sumTreeOf(*kernel);
  const auto timesAt = [&](size_t step) {
    const auto made = makeStep(kernel, trace::StepGranularity::epoch, step);
    return rowTimesOf(tree, made->step.firstEvent, made->step.lastEvent);
  };
  using enum RowTime;
  EXPECT_EQ(timesAt(0), (std::vector<RowTime>{now, later, later, later, later, later, later}));
  EXPECT_EQ(timesAt(1), (std::vector<RowTime>{before, now, now, now, now, now, now}));
}

}  // namespace tilestep::features::sum_picture_test
