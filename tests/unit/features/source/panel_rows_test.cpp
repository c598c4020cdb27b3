// SPDX-License-Identifier: Apache-2.0
#include "features/source/panel_rows.h"

#include <gtest/gtest.h>

namespace tilestep::features::panel_rows_test {

TEST(SourcePanelRows, NotesHaveSeparateRows) {
  const auto isNoted = [](uint32_t line) { return line == 4; };
  EXPECT_EQ(rowsAbove(4, 2, 10, isNoted), 1U);
  EXPECT_EQ(rowsAbove(5, 2, 10, isNoted), 3U);
  EXPECT_EQ(rowsAbove(1, 2, 10, isNoted), 0U) << "folded";
  EXPECT_EQ(rowsAbove(0, 2, 10, isNoted), 0U) << "not a line";
}

TEST(SourcePanelRows, LineBeyondTheTextCountsAsItsEnd) {
  int asked = 0;
  const auto isNoted = [&](uint32_t) { return ++asked > 0; };
  EXPECT_EQ(rowsAbove(UINT32_MAX, 2, 10, isNoted), 16U);
  EXPECT_EQ(asked, 8);
}

}  // namespace tilestep::features::panel_rows_test
