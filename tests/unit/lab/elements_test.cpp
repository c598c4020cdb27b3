// SPDX-License-Identifier: Apache-2.0
#include "lab/elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace tilestep::lab::elements_test {

template <class T>
double readBack(ElementType type, T value) {
  std::byte bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof value);
  return elementAsDouble(type, bytes);
}

TEST(Elements, EveryTypeReadsAsADouble) {
  EXPECT_EQ(readBack<float>(ElementType::f32, -1.5F), -1.5);
  EXPECT_EQ(readBack<double>(ElementType::f64, 0.1), 0.1);
  EXPECT_EQ(readBack<int8_t>(ElementType::i8, -128), -128);
  EXPECT_EQ(readBack<uint8_t>(ElementType::u8, 255), 255);
  EXPECT_EQ(readBack<int32_t>(ElementType::i32, -7), -7);
  EXPECT_EQ(readBack<uint32_t>(ElementType::u32, 4000000000U), 4e9);
  EXPECT_EQ(readBack<int64_t>(ElementType::i64, -5), -5);
  EXPECT_EQ(readBack<uint64_t>(ElementType::u64, 1ULL << 40), std::ldexp(1, 40));
  EXPECT_EQ(readBack<uint16_t>(ElementType::f16, 0x3c00), 1);
  EXPECT_EQ(readBack<uint16_t>(ElementType::f16, 0xc500), -5);
  EXPECT_EQ(readBack<uint16_t>(ElementType::f16, 0x7bff), 65504);
  EXPECT_EQ(readBack<uint16_t>(ElementType::f16, 0x0001), std::ldexp(1, -24));
  EXPECT_TRUE(std::isinf(readBack<uint16_t>(ElementType::f16, 0x7c00)));
  EXPECT_TRUE(std::isnan(readBack<uint16_t>(ElementType::f16, 0x7e00)));
  EXPECT_EQ(readBack<uint16_t>(ElementType::bf16, 0x3f80), 1);
  EXPECT_EQ(readBack<uint16_t>(ElementType::bf16, 0xc0a0), -5);
  const std::vector<std::byte> bytes(11);
  EXPECT_EQ(elementsAsDoubles(ElementType::f32, bytes).size(), 2U);
}

}  // namespace tilestep::lab::elements_test
