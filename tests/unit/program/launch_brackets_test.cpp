// SPDX-License-Identifier: Apache-2.0
#include "program/launch_brackets.h"

#include <gtest/gtest.h>

namespace tilestep::program::launch_brackets_test {

TEST(LaunchBrackets, AreJoinedOnlyInLaunches) {
  EXPECT_EQ(withJoinedBrackets("add << <1, 2>> > (x);"), "add <<< 1, 2>>>  (x);");
  EXPECT_EQ(withJoinedBrackets("add<<<1, 2>> >\n  (x);"), "add<<<1, 2>>> \n  (x);");
  for (const char* text : {"add<<<1, 2>>>(x);", "std::cout << \"a\" << b;", "a << <;",
                           "A<B<C<int>> > x;", "std::cout << \"<< <\"; A<B<C<int>> > (x);", "<< <"})
    EXPECT_EQ(withJoinedBrackets(text), text);
}

}  // namespace tilestep::program::launch_brackets_test
