// SPDX-License-Identifier: Apache-2.0
#include "metrics/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tilestep::metrics {
namespace {

TEST(Statistics, MedianOfOddAndEvenSamples) {
  EXPECT_DOUBLE_EQ(median(std::vector<double>{5, 1, 3}), 3);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_DOUBLE_EQ(median(std::vector<double>{7}), 7);
}

TEST(Statistics, PercentilesInterpolateBetweenRanks) {
  const std::vector<double> sample{10, 0, 20, 30, 40};
  EXPECT_DOUBLE_EQ(percentile(sample, 0.1), 4);
  EXPECT_DOUBLE_EQ(percentile(sample, 0.9), 36);
  EXPECT_DOUBLE_EQ(percentile(sample, 0), 0);
  EXPECT_DOUBLE_EQ(percentile(sample, 1), 40);
  EXPECT_DOUBLE_EQ(percentile(sample, 7), 40) << "shares are clamped";
}

TEST(Statistics, AnEmptySampleHasNoPercentile) {
  EXPECT_TRUE(std::isnan(median(std::vector<double>{})));
  EXPECT_EQ(summarize(std::vector<double>{}).count, 0U);
}

TEST(Statistics, SummaryAndSpread) {
  const Summary summary = summarize(std::vector<double>{10, 0, 20, 30, 40});
  EXPECT_EQ(summary.count, 5U);
  EXPECT_DOUBLE_EQ(summary.minimum, 0);
  EXPECT_DOUBLE_EQ(summary.median, 20);
  EXPECT_DOUBLE_EQ(summary.spread(), 1.6);
}

}  // namespace
}  // namespace tilestep::metrics
