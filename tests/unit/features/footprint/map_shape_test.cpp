// SPDX-License-Identifier: Apache-2.0
#include "features/footprint/map_shape.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace tilestep::features::map_shape_test {

/// An operand of floats of which `rows` rows of `columns` elements are requested.
OperandFootprint askedRectangle(uint64_t perRow, uint64_t row, uint64_t column, uint64_t rows,
                                uint64_t columns) {
  OperandFootprint operand;
  operand.columns = perRow;
  for (uint64_t r = row; r < row + rows; ++r)
    for (uint64_t c = column; c < column + columns; ++c)
      operand.asked.push_back({r * perRow + c, 0, 0});
  return operand;
}

TEST(MapShape, MatrixShowsItsRowsInWholeLines) {
  const MapShape shape = mapShapeOf(askedRectangle(64, 2, 16, 8, 16));
  EXPECT_EQ(shape.firstRow, 2U);
  EXPECT_EQ(shape.rows, 8U);
  EXPECT_EQ(shape.firstColumn, 0U);
  EXPECT_EQ(shape.columns, 32U);
  EXPECT_EQ(shape.indexOf(1, 5), 3U * 64 + 5);
}

TEST(MapShape, UnalignedLinesAreCutAtTheRowsEnds) {
  const MapShape shape = mapShapeOf(askedRectangle(20, 0, 8, 4, 8));
  EXPECT_EQ(shape.firstColumn, 0U);
  EXPECT_EQ(shape.columns, 20U);
}

TEST(MapShape, ArrayShowsItsLines) {
  OperandFootprint array;
  array.asked = {{40, 0, 0}, {41, 0, 0}, {200, 1, 1}};
  const MapShape shape = mapShapeOf(array);
  EXPECT_EQ(shape.perRow, 32U);
  EXPECT_EQ(shape.firstRow, 1U);
  EXPECT_EQ(shape.rows, 6U);
  EXPECT_EQ(shape.columns, 32U);
  array.elementBytes = 8;
  EXPECT_EQ(mapShapeOf(array).perRow, 16U);
  EXPECT_EQ(mapShapeOf(OperandFootprint()).rows, 0U);
}

TEST(OperandMap, ListsTheWarpsOfEachRequestedRow) {
  OperandFootprint array;
  array.asked = {{32, 2, 0}, {33, 1, 0}, {40, 3, 0}, {200, 5, 1}};
  const OperandMap map = mapOf(array);
  EXPECT_EQ(map.shape.firstRow, 1U);
  EXPECT_EQ(map.warps, (std::vector<RowWarps>{{0, 1, 3}, {5, 5, 5}}));
  ASSERT_TRUE(map.warpsOf(5));
  EXPECT_EQ(map.warpsOf(5)->first, 5U);
  EXPECT_FALSE(map.warpsOf(1));
  EXPECT_FALSE(map.warpsOf(6));
}

std::vector<MapRectangle> rectanglesAt(const MapShape& shape, std::vector<uint64_t> addresses) {
  std::vector<metrics::Sector> sectors;
  for (const uint64_t address : addresses) sectors.push_back({address, {}, 0});
  return rectanglesOf(shape, 4, sectors);
}

TEST(MapShape, AdjacentSectorsAreOneRectangle) {
  const MapShape shape = mapShapeOf(askedRectangle(64, 2, 0, 8, 16));
  // Two sectors in each of rows 2 and 3, and one sector in row 6.
  const uint64_t row = 64 * 4;
  EXPECT_EQ(rectanglesAt(shape, {2 * row, 2 * row + 32, 3 * row, 3 * row + 32, 6 * row + 32}),
            (std::vector<MapRectangle>{{0, 0, 2, 16}, {4, 8, 1, 8}}));
}

TEST(MapShape, SectorAcrossARowsEndIsInTwoRows) {
  const MapShape shape = mapShapeOf(askedRectangle(12, 0, 0, 2, 12));
  EXPECT_EQ(rectanglesAt(shape, {32}), (std::vector<MapRectangle>{{0, 8, 1, 4}, {1, 0, 1, 4}}));
  EXPECT_EQ(rectanglesAt(shape, {4096}), std::vector<MapRectangle>()) << "outside the map";
}

TEST(MapShape, VisibleRangeIncludesThePresentRow) {
  const auto range = [](uint64_t all, uint64_t now, uint64_t room) {
    const VisibleRange found = visibleRange(all, now, room);
    return std::pair(found.first, found.count);
  };
  EXPECT_EQ(range(9, 8, 20), std::pair(uint64_t{0}, uint64_t{9}));
  EXPECT_EQ(range(100, 3, 20), std::pair(uint64_t{0}, uint64_t{20}));
  EXPECT_EQ(range(100, 50, 20), std::pair(uint64_t{40}, uint64_t{20}));
  EXPECT_EQ(range(100, 99, 20), std::pair(uint64_t{80}, uint64_t{20}));
}

}  // namespace tilestep::features::map_shape_test
