// SPDX-License-Identifier: Apache-2.0
#include "features/footprint/memory_line.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilestep::features::memory_line_test {

TEST(MemoryLines, ContainLanesAndMovedSectors) {
  const std::vector<MemoryLine> lines =
      memoryLinesOf({{0, 256}, {1, 260}, {2, 256}, {3, 0}}, 4, {{0, {}, 0}, {256, {}, 0}});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].number, 0U);
  EXPECT_EQ(lines[0].lanes, "3");
  EXPECT_EQ(lines[1].number, 2U);
  EXPECT_EQ(lines[1].lanes, "0 to 2");
  ASSERT_EQ(lines[1].groups.size(), 2U);
  EXPECT_EQ(lines[1].groups[0].offset, 256U);
  EXPECT_EQ(lines[1].groups[0].lanes, (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(lines[1].sectors, (std::vector<uint64_t>{256}));
}

TEST(MemoryLines, AccessAcrossLinesIsInTwoLines) {
  const std::vector<MemoryLine> lines = memoryLinesOf({{7, 120}}, 16, {{96, {}, 0}, {128, {}, 0}});
  ASSERT_EQ(lines.size(), 2U);
  for (const MemoryLine& line : lines) {
    ASSERT_EQ(line.groups.size(), 1U);
    EXPECT_EQ(line.groups[0].offset, 120U);
    EXPECT_EQ(line.lanes, "7");
  }
}

TEST(LanesText, IsARangeAListOrTheFirstFew) {
  EXPECT_EQ(lanesText({3}), "3");
  EXPECT_EQ(lanesText({0, 1, 2}), "0 to 2");
  EXPECT_EQ(lanesText({0, 8, 16, 24}), "0, 8, 16, 24");
  EXPECT_EQ(lanesText({0, 2, 4, 6, 8}), "0, 2, 4, 6, …");
}

}  // namespace tilestep::features::memory_line_test
