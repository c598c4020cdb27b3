// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tilestep::features::lesson_order_test {

TEST(LessonOrder, TenFollowsNineAndNamesWithoutANumberComeLast) {
  std::vector<std::string> files{"x/mine.md", "x/10-sums.md", "x/2-b.md", "x/9-i.md", "x/2-a.md"};
  std::ranges::sort(files, comesBefore);
  EXPECT_EQ(files, (std::vector<std::string>{"x/2-a.md", "x/2-b.md", "x/9-i.md", "x/10-sums.md",
                                             "x/mine.md"}));
}

TEST(LessonOrder, FoldersDoNotCount) {
  EXPECT_TRUE(comesBefore("20/1-a.md", "10/2-b.md"));
}

}  // namespace tilestep::features::lesson_order_test
