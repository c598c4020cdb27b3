// SPDX-License-Identifier: Apache-2.0
#include "features/sums/explain.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

namespace tilestep::features::sum_explanation_test {

uint64_t bitsOf(float value) {
  return std::bit_cast<uint32_t>(value);
}

TEST(SumExplanation, AllowsRoundingInAnyOrder) {
  const float a = 0.1F, b = 0.7F, c = -0.3F;
  const std::vector<uint64_t> terms{bitsOf(a), bitsOf(b), bitsOf(c)};
  EXPECT_TRUE(isSumOf(ElementType::f32, terms, bitsOf((a + b) + c)));
  EXPECT_TRUE(isSumOf(ElementType::f32, terms, bitsOf(a + (b + c))));
  EXPECT_FALSE(isSumOf(ElementType::f32, terms, bitsOf(a + b))) << "a term is missing";
  EXPECT_FALSE(isSumOf(ElementType::f32, terms, bitsOf(a + b + c + 1e-5F)));
}

TEST(SumExplanation, CopyIsExact) {
  EXPECT_TRUE(isSumOf(ElementType::f32, {bitsOf(0.5F)}, bitsOf(0.5F)));
  EXPECT_FALSE(isSumOf(ElementType::f32, {bitsOf(0.5F)}, bitsOf(0.5F) + 1));
  EXPECT_FALSE(isSumOf(ElementType::f32, {}, bitsOf(0)));
}

TEST(SumExplanation, IntegersWrapAround) {
  EXPECT_TRUE(isSumOf(ElementType::i32, {0xffffffff, 3}, 2)) << "-1 + 3";
  EXPECT_FALSE(isSumOf(ElementType::i32, {0xffffffff, 3}, 3));
}

}  // namespace tilestep::features::sum_explanation_test
