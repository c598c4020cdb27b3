// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/tunable_values.h"

#include <gtest/gtest.h>

namespace tilestep::compile::tunable_values_test {

using Values = std::vector<int64_t>;

TunableSpec range(int64_t first, int64_t last, int64_t step) {
  TunableSpec tunable;
  tunable.name = "T";
  tunable.defaultValue = tunable.minimum = first;
  tunable.maximum = last;
  tunable.step = step;
  return tunable;
}

TunableSpec list(Values values) {
  TunableSpec tunable = range(values.front(), values.back(), 1);
  tunable.values = std::move(values);
  return tunable;
}

TEST(TunableValues, ARangeContainsItsSteps) {
  const TunableSpec tunable = range(2, 17, 6);  // 2, 8, 14.
  EXPECT_EQ(allValues(tunable), (Values{2, 8, 14}));
  EXPECT_EQ(valueCount(tunable), 3);
  EXPECT_EQ(lastValue(tunable), 14);
  EXPECT_EQ(doublings(tunable), (Values{2, 8}));
  for (int64_t value = -3; value < 30; ++value)
    EXPECT_EQ(takes(tunable, value), value == 2 || value == 8 || value == 14) << value;
}

TEST(TunableValues, AListContainsOnlyItsValues) {
  const TunableSpec tunable = list({3, 4, 12, 16});
  EXPECT_EQ(allValues(tunable), tunable.values);
  EXPECT_EQ(valueCount(tunable), 4);
  EXPECT_EQ(lastValue(tunable), 16);
  EXPECT_EQ(doublings(tunable), (Values{4, 16}));
  EXPECT_TRUE(takes(tunable, 12));
  EXPECT_FALSE(takes(tunable, 8));
}

TEST(TunableValues, NearestValuesAndStepsAreLegal) {
  const TunableSpec stepped = range(2, 17, 6), listed = list({3, 4, 12, 16});
  for (int64_t value = -40; value < 60; ++value) {
    EXPECT_TRUE(takes(stepped, nearestValue(stepped, value))) << value;
    EXPECT_TRUE(takes(listed, nearestValue(listed, value))) << value;
  }
  EXPECT_EQ(nearestValue(stepped, 12), 14);
  EXPECT_EQ(nearestValue(stepped, 17), 14);
  EXPECT_EQ(nearestValue(stepped, INT64_MIN), 2);
  EXPECT_EQ(nearestValue(listed, 7), 4);
  EXPECT_EQ(nearestValue(listed, INT64_MIN), 3);
  EXPECT_EQ(nearestValue(listed, INT64_MAX), 16);
  EXPECT_EQ(steppedValue(stepped, 2, 1), 8);
  EXPECT_EQ(steppedValue(stepped, 14, 1), 14);
  EXPECT_EQ(steppedValue(stepped, 8, -2), 2);
  EXPECT_EQ(steppedValue(listed, 4, 1), 12);
  EXPECT_EQ(steppedValue(listed, 12, -1), 4);
  EXPECT_EQ(steppedValue(listed, 16, 1), 16);
  EXPECT_EQ(steppedValue(listed, 3, -1), 3);
}

}  // namespace tilestep::compile::tunable_values_test
