// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <gtest/gtest.h>

#include <array>

namespace tilestep::hash_test {

// The published test vectors of 64-bit FNV-1a (Fowler, Noll and Vo).
TEST(Hash, FnvVectors) {
  EXPECT_EQ(fnv1a64(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(fnv1a64("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(fnv1a64("foobar"), 0x85944171f73967e8ULL);
}

TEST(Hash, FnvContinuesAnEarlierHash) {
  EXPECT_EQ(fnv1a64("bar", fnv1a64("foo")), fnv1a64("foobar"));
  EXPECT_NE(fnv1a64("barfoo"), fnv1a64("foobar"));
  // Bytes above 127 must not be sign-extended.
  const std::array<std::byte, 1> high{std::byte{0xff}};
  EXPECT_EQ(fnv1a64(high), (kFnvStart ^ 0xff) * 0x100000001b3ULL);
}

// The first outputs of the generator with seed 0, whose state before output n is n times the gamma.
TEST(Hash, Splitmix64MatchesTheReferenceSequence) {
  constexpr uint64_t kGamma = 0x9e3779b97f4a7c15ULL;
  EXPECT_EQ(splitmix64(0), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(splitmix64(kGamma), 0x6e789e6aa1b965f4ULL);
  EXPECT_EQ(splitmix64(2 * kGamma), 0x06c45d188009454fULL);
  EXPECT_EQ(splitmix64(3 * kGamma), 0xf88bb8a8724c81ecULL);
  EXPECT_EQ(splitmix64(1234567), 6457827717110365317ULL);
}

TEST(Hash, HexHasSixteenLowerCaseDigits) {
  EXPECT_EQ(hex64(0), "0000000000000000");
  EXPECT_EQ(hex64(0xABCDEF), "0000000000abcdef");
  EXPECT_EQ(hex64(~uint64_t{0}), "ffffffffffffffff");
}

}  // namespace tilestep::hash_test
