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

TEST(Picture, PixelsAreMeansOfRectangles) {
  device::Operand vector;
  vector.elements = 4;
  using Values = std::vector<float>;
  struct Case {
    device::Operand operand;
    uint32_t side, height, width;
    Values values;
  };
  for (const Case& one :
       {Case{matrix(2, 3), 8, 2, 3, {0, 1, 2, 3, 4, 5}},
        Case{matrix(4, 4), 2, 2, 2, {2.5, 4.5, 10.5, 12.5}}, Case{vector, 2, 1, 2, {0.5, 2.5}}}) {
    const Picture picture = makePicture(one.operand, 2, counting(one.operand.elements), one.side);
    EXPECT_EQ(picture.operand, 2U);
    EXPECT_EQ(picture.height, one.height);
    EXPECT_EQ(picture.width, one.width);
    EXPECT_EQ(picture.values, one.values);
  }
  const Picture wide = makePicture(matrix(10, 100), 0, counting(1000), 7);
  EXPECT_EQ(wide.width, 7U);
  EXPECT_EQ(wide.height, 1U);
  EXPECT_EQ(wide.rows, 10U);
  EXPECT_EQ(wide.columns, 100U);
  EXPECT_EQ(wide.values.size(), 7U);
}

TEST(Picture, MissingBytesGiveNoPicture) {
  EXPECT_TRUE(makePicture(matrix(4, 4), 0, counting(15), 2).values.empty());
  EXPECT_TRUE(makePicture(matrix(4, 4), 0, counting(16), 0).values.empty());
}

}  // namespace tilestep::lab::picture_test
