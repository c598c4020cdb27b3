// SPDX-License-Identifier: Apache-2.0
#include "features/timing/ways.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/results.h"
#include "unit/model/fake_client.h"

namespace tilestep::features::timing_ways_test {

LabKernel copyKernel() {
  LabKernel kernel;
  kernel.name = "strided_copy";
  kernel.label = "short copy";
  kernel.tunables = {{"BLOCK", 32}};
  kernel.timedSizes = {{"n", 1024}};
  kernel.timedTunables = {{"BLOCK", 256}};
  return kernel;
}

lab::RunResult timed() {
  lab::RunResult result;
  result.device.name = "Test GPU";
  result.timings = toyTimings();
  return result;
}

/// A row in which all methods measured the same time, except for the first sample.
TimingRow rowOf(const std::string& name, double seconds, double first) {
  TimingRow row;
  row.kernel = name;
  for (const device::NamedValue& way : toyTimings())
    row.ways.push_back({way.id, "s", 30, seconds, seconds, seconds, seconds, first, ""});
  return row;
}

TEST(TimingWays, RowHasTheLabsNamesAndTheResultsTimes) {
  const TimingRow row = timingRowOf(copyKernel(), timed());
  EXPECT_EQ(row.kernel, "short copy");
  EXPECT_EQ(row.sizes, "n = 1024");
  EXPECT_EQ(row.tunables, "BLOCK 256");
  EXPECT_EQ(row.ways, toyTimings());
  EXPECT_EQ(row.on, "Test GPU");
  EXPECT_EQ(row.gap, "");
}

TEST(TimingWays, RowWithoutTimesHasAReason) {
  lab::RunResult result;
  result.timingsNote = "Why not.";
  EXPECT_EQ(timingRowOf(copyKernel(), result).gap, "Why not.");
  EXPECT_EQ(timingRowOf(copyKernel(), result).on, "");
  EXPECT_EQ(timingRowOf(copyKernel(), lab::RunResult{}).gap, "This device gives no times.");
}

TEST(TimingWays, EachMethodHasANameAndAnUnknownOneKeepsItsId) {
  for (const device::NamedValue& way : toyTimings()) EXPECT_NE(wayName(way.id), way.id);
  EXPECT_EQ(wayName("by-hand"), "by-hand");
}

TEST(TimingAxis, ContainsAllTimesBetweenPowersOfTen) {
  const TimingAxis axis = timingAxisOf({rowOf("a", 3e-6, 2e-4), rowOf("b", 9e-3, 1.2e-2)});
  EXPECT_NEAR(axis.from, 1e-6, 1e-12);
  EXPECT_NEAR(axis.to, 1e-1, 1e-7);
  ASSERT_EQ(axis.ticks().size(), 6U);
  EXPECT_NEAR(axis.ticks()[2], 1e-4, 1e-10);
}

TEST(TimingAxis, IsLogarithmicAndClampsOtherTimes) {
  const TimingAxis axis{1e-6, 1e-2};
  EXPECT_DOUBLE_EQ(axis.share(1e-6), 0);
  EXPECT_NEAR(axis.share(1e-5), 0.25, 1e-12);
  EXPECT_NEAR(axis.share(1e-2), 1, 1e-12);
  EXPECT_EQ(axis.share(1), 1);
  EXPECT_EQ(axis.share(0), 0) << "as measured by a coarse clock";
}

TEST(TimingAxis, OneTimeOrNoneHasAnAxis) {
  const TimingAxis one = timingAxisOf({rowOf("a", 1e-5, 1e-5)});
  EXPECT_GT(one.to, one.from);
  EXPECT_EQ(timingAxisOf({}).ticks().size(), 4U);
  EXPECT_GT(timingAxisOf({rowOf("a", 0, 0)}).to, 0);
}

TEST(TimingSentence, ReportsTheLongestWithoutAndTheShortestWithSynchronisation) {
  std::vector<TimingRow> rows{rowOf("copy", 2e-6, 1e-5), rowOf("product", 9e-3, 1e-2)};
  rows[0].ways[1].median = 9e-6;
  rows[1].ways[0].median = 4e-6;
  const std::string text = timingSentence(rows);
  EXPECT_TRUE(has(text, "A launch of the product takes 9.00 ms.", "the CPU clock shows 4.00 µs",
                  "it shows 9.00 µs for the copy, which takes 2.00 µs"));
  rows.clear();
  EXPECT_EQ(timingSentence(rows), "");
}

TEST(TimingSentence, RowWithoutTimesIsOmitted) {
  std::vector<TimingRow> rows{rowOf("copy", 2e-6, 1e-5), {}};
  rows[1].gap = "Being timed.";
  EXPECT_NE(timingSentence(rows), "");
  EXPECT_EQ(commonTimingGap(rows), "");
  EXPECT_EQ(commonTimingGap({rows[1], rows[1]}), "Being timed.");
}

}  // namespace tilestep::features::timing_ways_test
