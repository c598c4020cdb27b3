// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/ticks.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tilestep::ui::ticks_test {

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> texts;
  for (const Tick& tick : ticks)
    if (!tick.label.empty()) texts.push_back(tick.label);
  return texts;
}

TEST(Ticks, TextsHavePrefixes) {
  EXPECT_EQ(tickText(0), "0");
  EXPECT_EQ(tickText(0.01), "0.01");
  EXPECT_EQ(tickText(999), "999");
  EXPECT_EQ(tickText(1000), "1 k");
  EXPECT_EQ(tickText(2.5e9), "2.5 G");
  EXPECT_EQ(tickText(1e13), "10 T");
}

TEST(Ticks, LinearStepsAreRoundAndFew) {
  EXPECT_EQ(labels(linearTicks(0, 100, 5)),
            (std::vector<std::string>{"0", "20", "40", "60", "80", "100"}));
  EXPECT_EQ(labels(linearTicks(0, 2, 5, true)), (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(labels(linearTicks(-1, 1, 4)),
            (std::vector<std::string>{"-1", "-0.5", "0", "0.5", "1"}));
  EXPECT_LE(linearTicks(0, 7, 3).size(), 5U);
  EXPECT_TRUE(linearTicks(1, 1, 5).empty());
}

TEST(Ticks, LogTicksLabelDecades) {
  EXPECT_EQ(labels(logTicks(0.01, 100, 8)),
            (std::vector<std::string>{"0.01", "0.1", "1", "10", "100"}));
  EXPECT_EQ(labels(logTicks(0.02, 200, 2)), (std::vector<std::string>{"0.1", "1", "10", "100"}));
  EXPECT_EQ(labels(logTicks(1, 10, 8)), (std::vector<std::string>{"1", "2", "5", "10"}));
  EXPECT_LE(labels(logTicks(1e-3, 1e15, 5)).size(), 5U);
  EXPECT_TRUE(logTicks(0, 10, 5).empty());
  EXPECT_TRUE(logTicks(10, 1, 5).empty());
}

TEST(Ticks, EveryAxisHasAtLeastThreeLabels) {
  for (const double low : {0.013, 0.1, 0.7, 3.0, 345.6, 1e9})
    for (const double factor : {1.001, 1.1, 1.9, 3.0, 9.5, 40.0, 99.0, 150.0, 1e3, 9e5, 1e12})
      for (const int most : {1, 2, 3, 5, 12}) {
        const std::string where =
            std::to_string(low) + " × " + std::to_string(factor) + ", " + std::to_string(most);
        EXPECT_GE(labels(logTicks(low, factor * low, most)).size(), 3U) << where;
        EXPECT_GE(labels(linearTicks(low, factor * low, most)).size(), 3U) << where;
      }
}

TEST(Ticks, RangesTooLargeForTicksHaveNone) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(linearTicks(0, infinite, 5).empty());
  EXPECT_TRUE(logTicks(1, infinite, 5).empty());
  EXPECT_LE(linearTicks(1e20, std::nextafter(1e20, infinite), 5).size(), 100U);
  EXPECT_LE(linearTicks(0, 5e-324, 5).size(), 100U);
}

TEST(Ticks, RoundUpGivesOneTwoOrFive) {
  EXPECT_DOUBLE_EQ(roundUp(1.2), 2);
  EXPECT_DOUBLE_EQ(roundUp(20), 20);
  EXPECT_DOUBLE_EQ(roundUp(0.051), 0.1);
  EXPECT_DOUBLE_EQ(roundUp(4300), 5000);
}

}  // namespace tilestep::ui::ticks_test
