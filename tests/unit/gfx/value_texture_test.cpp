// SPDX-License-Identifier: Apache-2.0
#include "gfx/value_texture.h"

#include <gtest/gtest.h>

#include <limits>

namespace tilestep::gfx::value_texture_test {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(ValueBytes, ScalesClampsAndMarksUnwrittenValues) {
  const Picture picture{1, 4, {-1, 1, 5, kNaN}};
  const ValueBytes v = valueBytes(picture, -1, 1);
  EXPECT_EQ(v.bytes, (std::vector<uint8_t>{0, 255, 255, 255, 255, 255, 0, 0}));
}

TEST(ValueBytes, AveragesLargePicturesOverWrittenValues) {
  const Picture picture{2, 4, {0, 1, 1, 1, 0, 1, kNaN, kNaN}};
  const ValueBytes v = valueBytes(picture, 0, 1, 2);
  EXPECT_EQ(v.rows, 1U);
  EXPECT_EQ(v.columns, 2U);
  EXPECT_EQ(v.bytes, (std::vector<uint8_t>{128, 255, 128, 128}));  // value / written = 0.5 and 1
}

TEST(ValueBytes, OddSizesAreCovered) {
  const Picture picture{5, 3, std::vector<float>(15, 1)};
  const ValueBytes v = valueBytes(picture, 0, 1, 2);
  EXPECT_EQ(v.rows, 2U);
  EXPECT_EQ(v.columns, 1U);
  for (const uint8_t byte : v.bytes) EXPECT_EQ(byte, 255);
}

TEST(ValueBytes, MissingValuesGiveNoPicture) {
  EXPECT_TRUE(valueBytes(Picture{2, 2, {1}}, 0, 1).bytes.empty());
  EXPECT_TRUE(valueBytes(Picture{}, 0, 1).bytes.empty());
}

TEST(ValueBytes, EqualLimitsDoNotDivideByZero) {
  EXPECT_EQ(valueBytes(Picture{1, 1, {3}}, 3, 3).bytes, (std::vector<uint8_t>{0, 255}));
}

}  // namespace tilestep::gfx::value_texture_test
