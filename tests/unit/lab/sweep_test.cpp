// SPDX-License-Identifier: Apache-2.0
#include "lab/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/results.h"

namespace tilestep::lab::sweep_test {

using Values = std::vector<int64_t>;

TEST(SweepValues, ListsAndRangesAreReadOrRefused) {
  EXPECT_EQ(*parseValues("16"), Values{16});
  EXPECT_EQ(*parseValues("1,2,4"), (Values{1, 2, 4}));
  EXPECT_EQ(*parseValues("4:7"), (Values{4, 5, 6, 7}));
  EXPECT_EQ(*parseValues("4:32:4"), (Values{4, 8, 12, 16, 20, 24, 28, 32}));
  EXPECT_EQ(*parseValues("4:10:4"), (Values{4, 8}));
  EXPECT_EQ(*parseValues("1,8:10"), (Values{1, 8, 9, 10}));
  EXPECT_EQ(*parseValues("-1"), Values{-1});
  for (const char* bad :
       {"", "x", "1,", ",1", "1:2:3:4", "1.5", "1:", ":", "99999999999999999999", "4 5"}) {
    EXPECT_TRUE(fails(parseValues(bad), ErrorKind::request, "FIRST:LAST:STEP")) << bad;
  }
  for (const char* empty : {"8:4", "1:8:0", "1:8:-1"}) EXPECT_FALSE(parseValues(empty)) << empty;
  EXPECT_FALSE(parseValues("0:9223372036854775807"));
  EXPECT_FALSE(parseValues("-9223372036854775808:9223372036854775807"));
}

TEST(SweepPoints, TheLastAxisVariesFastestAndJointNamesVaryTogether) {
  const auto points = combinations({{{"m", "n"}, {1, 2}}, {{"T"}, {8, 16}}});
  ASSERT_TRUE(points);
  ASSERT_EQ(points->size(), 4U);
  EXPECT_EQ((*points)[1], (Point{{"m", 1}, {"n", 1}, {"T", 16}}));
  EXPECT_EQ((*points)[2], (Point{{"m", 2}, {"n", 2}, {"T", 8}}));
  EXPECT_EQ(combinations({})->size(), 1U);
  const Axis wide{{"a"}, Values(1000, 1)};
  EXPECT_FALSE(combinations({wide, wide}));
}

TEST(SweepRows, AnIllegalCombinationIsSkippedWithItsReason) {
  Experiment experiment;
  experiment.tunables["T"] = 33;
  const SweepRow row = rowOf("k", experiment, requestError("T is 33; at most 32"));
  EXPECT_EQ(row.status, SweepRow::Status::skipped);
  const auto cells = sweepCells({"kernel", "T", "status", "median_ms", "reason"}, row);
  EXPECT_EQ(cells, (std::vector<std::string>{"k", "33", "skipped", "", "T is 33; at most 32"}));
  EXPECT_EQ(rowOf("k", experiment, workError("died")).status, SweepRow::Status::failed);
}

RunResult timed(double ms, double operations) {
  RunResult result;
  result.plan.operations = operations;
  result.measurement = device::Measurement{};
  result.measurement->medianMs = ms;
  return result;
}

TEST(SweepRows, HaveSpeedAndVerdict) {
  const std::vector<std::string> columns{"status", "median_ms", "gflops"};
  const auto cells = [&](Result<RunResult> outcome) {
    return sweepCells(columns, rowOf("k", {}, std::move(outcome)));
  };
  EXPECT_EQ(cells(timed(1, 1e9)), (SweepLine{"ok", "1", "1000"}));
  RunResult wrong = timed(0.1, 1e9);
  wrong.check = Check{};
  EXPECT_EQ(cells(wrong)[0], "wrong");
}

TEST(SweepRows, NameTheCountersThatTheHardwareMayGiveDifferently) {
  RunResult result;
  result.counters.emplace();
  EXPECT_EQ(sweepCells({"uncertain"}, rowOf("k", {}, result)), SweepLine{""});
  result.uncertain = {
      {UncertainCounts::Why::unrolled, 5, {"global_load_requests", "global_load_sectors"}},
      {UncertainCounts::Why::unrolled, 9, {"global_load_requests"}}};
  EXPECT_EQ(sweepCells({"uncertain"}, rowOf("k", {}, result)),
            SweepLine{"global_load_requests global_load_sectors"});
}

TEST(SweepRows, ColumnsHoldSizesTunablesAndCounters) {
  compile::KernelSpec spec;
  spec.sizes = {{"k", 1}, {"m", 1}, {"z", 1}};
  spec.tunables.push_back({.name = "T"});
  const auto columns = sweepColumns(spec, true);
  const std::vector<std::string> first(columns.begin(), columns.begin() + 6);
  EXPECT_EQ(first, (std::vector<std::string>{"kernel", "device", "m", "k", "z", "T"}));
  EXPECT_NE(std::find(columns.begin(), columns.end(), "shared_load_wavefronts"), columns.end());
  EXPECT_EQ(columns.back(), "reason");
  EXPECT_LT(sweepColumns(spec, false).size(), columns.size());
}

}  // namespace tilestep::lab::sweep_test
