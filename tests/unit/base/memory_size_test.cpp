// SPDX-License-Identifier: Apache-2.0
#include "base/process/memory_size.h"

#include <gtest/gtest.h>

namespace tilestep::memory_size_test {

TEST(MemorySize, MayHaveAPrefixForAPowerOf1024) {
  EXPECT_EQ(memorySizeOf("800000000"), 800'000'000U);
  EXPECT_EQ(memorySizeOf("1K"), 1024U);
  EXPECT_EQ(memorySizeOf("512M"), uint64_t{512} << 20);
  EXPECT_EQ(memorySizeOf("2G"), uint64_t{2} << 30);
  EXPECT_EQ(memorySizeOf("8388608T"), uint64_t{1} << 63);
}

TEST(MemorySize, InvalidSizesAreRefused) {
  for (const char* text : {"", "G", "0", "0G", "-1", "1.5G", "2GB", "2g", " 2G", "2 G", "0x10",
                           "8388609T", "18446744073709551616"})
    EXPECT_FALSE(memorySizeOf(text)) << text;
}

TEST(MemorySize, IsWrittenInUnitsOf1024) {
  EXPECT_EQ(memorySizeText(1), "1 byte");
  EXPECT_EQ(memorySizeText(1023), "1023 bytes");
  EXPECT_EQ(memorySizeText(1024), "1 KiB");
  EXPECT_EQ(memorySizeText(uint64_t{3} << 29), "1.5 GiB");
  EXPECT_EQ(memorySizeText(uint64_t{812} << 20), "812 MiB");
  EXPECT_EQ(memorySizeText(uint64_t{5000} << 40), "5000 TiB");
}

}  // namespace tilestep::memory_size_test
