// SPDX-License-Identifier: Apache-2.0
#include "metrics/time_difference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tilestep::metrics::time_difference_test {

TEST(TimeDifference, OverlappingIntervalsAreNoDifference) {
  EXPECT_EQ(compareTimes({1.10, 1.00, 1.20}, {1.00, 0.95, 1.05}), TimeVerdict::notTold);
  EXPECT_EQ(compareTimes({0.90, 0.85, 0.95}, {1.00, 0.95, 1.05}), TimeVerdict::notTold)
      << "the intervals touch";
}

TEST(TimeDifference, ADifferenceWithinRepeatabilityDoesNotCount) {
  EXPECT_EQ(compareTimes({1.008, 1.008, 1.008}, {1, 1, 1}), TimeVerdict::notTold);
  EXPECT_EQ(compareTimes({1.012, 1.012, 1.012}, {1, 1, 1}), TimeVerdict::slower);
  EXPECT_EQ(compareTimes({1, 1, 1}, {0, 0, 0}), TimeVerdict::notTold) << "no base";
}

/// Two runs with samples from the same distribution are hardly ever found to differ.
TEST(TimeDifference, NoiseIsRarelyADifference) {
  std::mt19937_64 chance(11);
  std::normal_distribution<double> time(1, 0.02);
  const auto measure = [&] {
    std::vector<double> samples(20);
    std::ranges::generate(samples, [&] { return time(chance); });
    std::ranges::sort(samples);
    return TimeSpread{samples[10], samples[2], samples[17]};
  };
  int called = 0;
  for (int i = 0; i < 5000; ++i)
    if (compareTimes(measure(), measure()) != TimeVerdict::notTold) ++called;
  EXPECT_EQ(called, 0);
}

}  // namespace tilestep::metrics::time_difference_test
