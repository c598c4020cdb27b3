// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/literal.h"

#include <gtest/gtest.h>

#include <bit>

namespace tilestep::ptx::literal_test {

void expectLiteral(std::string_view text, uint64_t bits, Type type) {
  const auto literal = parseLiteral(text);
  ASSERT_TRUE(literal) << text;
  EXPECT_EQ(literal->bits, bits) << text;
  EXPECT_EQ(literal->type, type) << text;
}

TEST(Literal, Integers) {
  expectLiteral("0", 0, Type::s64);
  expectLiteral("42", 42, Type::s64);
  expectLiteral("42U", 42, Type::u64);
  expectLiteral("0x1f", 31, Type::s64);
  expectLiteral("0XFFU", 255, Type::u64);
  expectLiteral("017", 15, Type::s64);
  expectLiteral("0b1101", 13, Type::s64);
  expectLiteral("9223372036854775808", 9223372036854775808ULL, Type::u64);
}

TEST(Literal, Floats) {
  expectLiteral("0f3F800000", 0x3f800000, Type::f32);
  expectLiteral("0Fffffffff", 0xffffffff, Type::f32);
  expectLiteral("0d3FF0000000000000", 0x3ff0000000000000, Type::f64);
  expectLiteral("1.5", std::bit_cast<uint64_t>(1.5), Type::f64);
  expectLiteral("2e3", std::bit_cast<uint64_t>(2000.0), Type::f64);
}

TEST(Literal, MalformedLiteralsAreRefused) {
  for (const std::string_view text :
       {"", "0x", "0b", "0b2", "08", "12abc", "0f", "0f3F80", "0f3F8000000", "0d0", "1.2.3", "1e",
        "18446744073709551616", "U", "0xfffffffffffffffff", "1e999"}) {
    EXPECT_FALSE(parseLiteral(text)) << text;
  }
}

TEST(Literal, NegationDependsOnTheType) {
  EXPECT_EQ(negate({0x3f800000, Type::f32}).bits, 0xbf800000);
  EXPECT_EQ(negate({0, Type::f64}).bits, 0x8000000000000000);
  EXPECT_EQ(static_cast<int64_t>(negate({5, Type::s64}).bits), -5);
}

TEST(Literal, PrintedLiteralsParseToTheSameBits) {
  for (const Literal literal :
       {Literal{0, Type::s64}, Literal{7, Type::u64}, Literal{0xffffffffffffffff, Type::u64},
        Literal{0x7fc00000, Type::f32}, Literal{0x7ff0000000000000, Type::f64}}) {
    const auto again = parseLiteral(toText(literal));
    ASSERT_TRUE(again) << toText(literal);
    EXPECT_EQ(again->bits, literal.bits);
    EXPECT_EQ(again->type, literal.type);
  }
  EXPECT_EQ(toText(Literal{~0ULL, Type::s64}), "-1");
}

}  // namespace tilestep::ptx::literal_test
