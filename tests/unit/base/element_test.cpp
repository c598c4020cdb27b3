// SPDX-License-Identifier: Apache-2.0
#include "base/element.h"

#include <gtest/gtest.h>

#include <string>

#include "base/dim3.h"

namespace tilestep::element_test {

TEST(Dim3, CountDoesNotOverflow32Bits) {
  EXPECT_EQ((Dim3{65536, 65536, 2}.count()), uint64_t{1} << 33);
  EXPECT_EQ(ceilDiv(0, 4), 0U);
  EXPECT_EQ(ceilDiv(1, 4), 1U);
  EXPECT_EQ(ceilDiv(8, 4), 2U);
  EXPECT_EQ(ceilDiv(~uint64_t{0}, 2), uint64_t{1} << 63);
}

TEST(Element, NamesAndSizesAgree) {
  for (int i = 0; i <= static_cast<int>(ElementType::u64); ++i) {
    const auto type = static_cast<ElementType>(i);
    EXPECT_EQ(elementTypeOf(toText(type)), type);
    // Every name ends with its number of bits.
    const auto name = std::string(toText(type));
    const auto digits = name.substr(name.find_first_of("0123456789"));
    EXPECT_EQ(bytesOf(type) * 8, static_cast<unsigned>(std::stoi(digits))) << name;
  }
  EXPECT_EQ(elementTypeOf("f8"), std::nullopt);
  EXPECT_EQ(elementTypeOf(""), std::nullopt);
}

}  // namespace tilestep::element_test
