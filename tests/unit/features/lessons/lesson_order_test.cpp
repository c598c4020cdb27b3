// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tilestep::model {
namespace lesson_order_test {

TEST(LessonOrder, FollowsTheNumbersAndThenTheNames) {
  std::vector<std::string> files{"/a/10-latency.md", "/a/own.md", "/a/9-access-patterns.md",
                                 "/a/1-why-tile.md", "/a/10-a.md"};
  std::ranges::sort(files, comesBefore);
  EXPECT_EQ(files, (std::vector<std::string>{"/a/1-why-tile.md", "/a/9-access-patterns.md",
                                             "/a/10-a.md", "/a/10-latency.md", "/a/own.md"}));
}

}  // namespace lesson_order_test
}  // namespace tilestep::model
