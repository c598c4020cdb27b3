// SPDX-License-Identifier: Apache-2.0
#include "base/factor.h"

#include <gtest/gtest.h>

namespace tilestep::factor_test {

TEST(Factor, HasFewDigits) {
  const std::pair<double, const char*> cases[] = {
      {16, "16 times"},        {3.18, "3.2 times"},    {1.78, "1.78 times"}, {1.5, "1.5 times"},
      {2.0, "2 times"},        {1.998, "2 times"},     {16.5, "16.5 times"}, {100, "100 times"},
      {1023.6, "1,024 times"}, {999.6, "1,000 times"},
  };
  for (const auto& [factor, text] : cases) EXPECT_EQ(timesText(factor), text);
}

TEST(Factor, TextNamesTheDirection) {
  EXPECT_EQ(factorText(3.18, 1, kTimeWords), "3.2 times slower");
  EXPECT_EQ(factorText(1, 1.78, kTimeWords), "1.78 times faster");
  EXPECT_EQ(factorText(1.78, 1, kSpeedWords), "1.78 times faster");
  EXPECT_EQ(factorText(4, 64, kFewerOrMore), "16 times fewer");
  EXPECT_EQ(factorText(6, 4, kLessOrMore), "1.5 times more");
  EXPECT_EQ(factorText(0, 4, kFewerOrMore), "fewer");
  EXPECT_EQ(factorText(4, 0, kLessOrMore), "more");
}

TEST(Factor, EqualMeansHalfAPercentForTimesAndExactForCounts) {
  EXPECT_EQ(factorText(1.004, 1, kTimeWords), "as fast");
  EXPECT_EQ(factorText(1005, 1000, kTimeWords), "as fast");
  EXPECT_EQ(factorText(1.006, 1, kTimeWords), "1.01 times slower");
  EXPECT_EQ(factorText(49152, 49152, kFewerOrMore), "the same");
  EXPECT_EQ(factorText(0, 0, kLessOrMore), "the same");
  EXPECT_EQ(factorText(49130, 49152, kFewerOrMore), "about the same");
  EXPECT_EQ(factorText(201, 200, kFewerOrMore), "about the same");
}

TEST(Factor, IsNeverWrittenAsOneTimes) {
  for (int base = 1; base < 400; ++base) {
    for (int amount = base; amount < 3 * base; ++amount)
      EXPECT_FALSE(factorText(amount, base, kFewerOrMore).starts_with("1 times "))
          << amount << " and " << base;
  }
}

}  // namespace tilestep::factor_test
