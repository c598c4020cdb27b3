// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "device/device.h"
#include "device/half.h"

namespace tilestep::device::fill_test {

Operand operandOf(ElementType type, Fill fill, uint64_t elements) {
  Operand operand;
  operand.type = type;
  operand.fill = fill;
  operand.elements = elements;
  return operand;
}

template <class T>
std::vector<T> filled(ElementType type, Fill fill, uint64_t elements, uint32_t index = 0,
                      uint64_t seed = 1) {
  const auto bytes = fillOperand(operandOf(type, fill, elements), index, seed, std::byte{0xa5});
  std::vector<T> values(elements);
  EXPECT_EQ(bytes.size(), elements * sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(Fill, FloatsFollowTheFormula) {
  const auto values = filled<float>(ElementType::f32, Fill::random, 1000, 2, 5);
  for (uint64_t i = 0; i < values.size(); ++i) {
    const double hash = static_cast<double>(splitmix64(5 + (uint64_t{2} << 48) + i) >> 40);
    EXPECT_EQ(values[i], static_cast<float>(hash / 8388608.0 - 1.0)) << i;
    EXPECT_GE(values[i], -1.0F);
    EXPECT_LT(values[i], 1.0F);
  }
}

TEST(Fill, TypesFollowTheFormula) {
  const uint64_t hash = splitmix64(1 + 3);
  EXPECT_EQ(filled<double>(ElementType::f64, Fill::random, 4)[3],
            static_cast<double>(hash >> 40) / 8388608.0 - 1.0);
  EXPECT_EQ(filled<int32_t>(ElementType::i32, Fill::random, 4)[3],
            static_cast<int32_t>(hash & 255));
  EXPECT_EQ(filled<uint64_t>(ElementType::u64, Fill::random, 4)[3], hash & 255);
  const auto coarse = static_cast<float>(hash >> 56) / 128.0F - 1.0F;
  EXPECT_EQ(filled<uint16_t>(ElementType::f16, Fill::random, 4)[3], toF16(coarse));
  EXPECT_EQ(filled<uint16_t>(ElementType::bf16, Fill::random, 4)[3], toBf16(coarse));
}

TEST(Fill, WideIntegersCoverTheirType) {
  const auto range = [](const auto& values) {
    const auto [least, most] = std::ranges::minmax_element(values);
    return std::pair(static_cast<double>(*least), static_cast<double>(*most));
  };
  const auto bytes = range(filled<int8_t>(ElementType::i8, Fill::wide, 5000));
  EXPECT_EQ(bytes, std::pair(-128.0, 127.0));
  const auto words = range(filled<int32_t>(ElementType::i32, Fill::wide, 5000));
  EXPECT_LT(words.first, -2.1e9);
  EXPECT_GT(words.second, 2.1e9);
  // 64-bit integers stay within the range that a double represents.
  const auto longs = range(filled<int64_t>(ElementType::i64, Fill::wide, 5000));
  EXPECT_LT(longs.first, -2.1e9);
  EXPECT_GE(longs.first, -2147483648.0);
  EXPECT_GT(longs.second, 2.1e9);
  const auto unsigneds = range(filled<uint64_t>(ElementType::u64, Fill::wide, 5000));
  EXPECT_GT(unsigneds.second, 4.2e9);
  EXPECT_LE(unsigneds.second, 4294967295.0);
  EXPECT_EQ(filled<float>(ElementType::f32, Fill::wide, 9),
            filled<float>(ElementType::f32, Fill::random, 9));
}

TEST(Fill, ConstantFills) {
  EXPECT_EQ(filled<float>(ElementType::f32, Fill::ones, 2), (std::vector<float>{1, 1}));
  EXPECT_EQ(filled<float>(ElementType::f32, Fill::zero, 2), (std::vector<float>{0, 0}));
  EXPECT_EQ(filled<float>(ElementType::f32, Fill::index, 3), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(filled<uint8_t>(ElementType::u8, Fill::index, 258)[257], 1);
  EXPECT_EQ(filled<uint16_t>(ElementType::f16, Fill::ones, 1)[0], 0x3c00);
}

TEST(Fill, OutputsArePoisoned) {
  Operand operand = operandOf(ElementType::f32, Fill::random, 2);
  operand.direction = Direction::out;
  EXPECT_EQ(fillOperand(operand, 0, 1, std::byte{0x5a}),
            std::vector<std::byte>(8, std::byte{0x5a}));
}

TEST(Fill, LargeOperandsEqualTheirElements) {
  const uint64_t elements = (uint64_t{1} << 21) + 17;
  const Operand operand = operandOf(ElementType::f32, Fill::random, elements);
  const auto bytes = fillOperand(operand, 1, 9, {});
  for (uint64_t i = 0; i < elements; i += 4099) {
    std::byte one[4];
    fillElement(operand, 1, i, 9, one);
    ASSERT_EQ(std::memcmp(one, bytes.data() + 4 * i, 4), 0) << i;
  }
}

TEST(Half, RoundsToNearestEven) {
  EXPECT_EQ(toF16(0.0F), 0x0000);
  EXPECT_EQ(toF16(-0.0F), 0x8000);
  EXPECT_EQ(toF16(-1.0F), 0xbc00);
  EXPECT_EQ(toF16(1.0F + 0x1p-11F), 0x3c00);
  EXPECT_EQ(toF16(1.0F + 0x1.8p-10F), 0x3c02);
  EXPECT_EQ(toF16(65504.0F), 0x7bff);
  EXPECT_EQ(toF16(65520.0F), 0x7c00);
  EXPECT_EQ(toF16(1.9999F), 0x4000);
  EXPECT_EQ(toF16(0x1p-24F), 0x0001);
  EXPECT_EQ(toF16(0x1p-25F), 0x0000);
  EXPECT_EQ(toF16(0x1p-14F), 0x0400);
  EXPECT_EQ(toF16(NAN) & 0x7c00, 0x7c00);
  EXPECT_EQ(toBf16(1.0F), 0x3f80);
  EXPECT_EQ(toBf16(1.0F + 0x1p-8F), 0x3f80);
  EXPECT_EQ(toBf16(1.0F + 0x1.8p-7F), 0x3f82);
}

}  // namespace tilestep::device::fill_test
