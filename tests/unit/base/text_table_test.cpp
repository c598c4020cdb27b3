// SPDX-License-Identifier: Apache-2.0
#include "base/text_table.h"

#include <gtest/gtest.h>

namespace tilestep::text_table_test {

TEST(TextTable, NumberColumnsAreRightAligned) {
  TextTable table({"name", "ms", "share"});
  table.add({"naïve", "12.5", "100 %"});
  table.add({"tiled", "–", "5 %"});
  EXPECT_EQ(table.text(),
            "name     ms  share\n"
            "naïve  12.5  100 %\n"
            "tiled     –    5 %\n");
}

TEST(TextTable, NeedsNoHeaderAndMayBeIndented) {
  TextTable table;
  table.add({"a", "long text"});
  table.add({"bb", ""});
  EXPECT_EQ(table.text("  "), "  a   long text\n  bb\n");
}

}  // namespace tilestep::text_table_test
