// SPDX-License-Identifier: Apache-2.0
#include "lab/picture.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

namespace tilestep::lab::picture_test {

device::Operand matrix(uint64_t rows, uint64_t columns) {
  device::Operand operand;
  operand.rows = rows;
  operand.columns = columns;
  operand.elements = rows * columns;
  return operand;
}

/// 0, 1, 2, … row by row.
std::vector<std::byte> counting(uint64_t elements) {
  std::vector<float> values(elements);
  std::iota(values.begin(), values.end(), 0.0F);
  std::vector<std::byte> bytes(elements * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(Picture, ASmallMatrixComesAsItIs) {
  const Picture picture = makePicture(matrix(2, 3), 2, counting(6), 8);
  EXPECT_EQ(picture.operand, 2U);
  EXPECT_EQ(picture.height, 2U);
  EXPECT_EQ(picture.width, 3U);
  EXPECT_EQ(picture.values, (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

TEST(Picture, ALargeOneIsMeansOfRectangles) {
  const Picture picture = makePicture(matrix(4, 4), 0, counting(16), 2);
  EXPECT_EQ(picture.height, 2U);
  EXPECT_EQ(picture.values, (std::vector<float>{2.5, 4.5, 10.5, 12.5}));
}

TEST(Picture, TheShapeStaysAndEveryElementCounts) {
  const Picture picture = makePicture(matrix(10, 100), 0, counting(1000), 7);
  EXPECT_EQ(picture.width, 7U);
  EXPECT_EQ(picture.height, 1U);
  EXPECT_EQ(picture.rows, 10U);
  EXPECT_EQ(picture.columns, 100U);
  EXPECT_EQ(picture.values.size(), 7U);
}

TEST(Picture, ABufferWithoutRowsIsOneRow) {
  device::Operand operand;
  operand.elements = 4;
  const Picture picture = makePicture(operand, 0, counting(4), 2);
  EXPECT_EQ(picture.height, 1U);
  EXPECT_EQ(picture.values, (std::vector<float>{0.5, 2.5}));
}

TEST(Picture, BytesThatAreMissingGiveNoPicture) {
  EXPECT_TRUE(makePicture(matrix(4, 4), 0, counting(15), 2).values.empty());
  EXPECT_TRUE(makePicture(matrix(4, 4), 0, counting(16), 0).values.empty());
}

}  // namespace tilestep::lab::picture_test
