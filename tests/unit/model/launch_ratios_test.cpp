// SPDX-License-Identifier: Apache-2.0
#include "model/launch_ratios.h"

#include <gtest/gtest.h>

namespace tilestep::model::launch_ratios_test {

/// A run in blocks of side × side with this time.
lab::RunResult ran(const char* kernel, uint32_t side, double milliseconds) {
  lab::RunResult run;
  run.kernel = kernel;
  run.plan.sizes = {{"m", 64}, {"n", 64}, {"k", 64}};
  Launch launch;
  launch.block = {side, side, 1};
  run.plan.launches = {launch};
  run.device.id = "cuda:0";
  run.device.name = "Test GPU";
  run.measurement.emplace();
  run.measurement->medianMs = milliseconds;
  run.counters.emplace();
  run.counters->total.globalLoad.bytes = 1024;
  run.counters->total.globalLoad.sectors = 32;
  return run;
}

lab::RunResult on(lab::RunResult run, uint32_t machine) {
  run.device.machines = 3;
  run.device.machine = machine;
  return run;
}

TEST(Ratio, WordingDependsOnTheUnit) {
  const struct {
    Unit unit;
    double base, own;
    const char* text;
    const char* formula;
  } kCases[] = {{Unit::count, 128, 32, "4 times fewer", "128 ÷ 32"},
                {Unit::count, 32, 128, "4 times more", "32 ÷ 128"},
                {Unit::bytes, 6, 4, "1.5 times less", "6.00 B ÷ 4.00 B"},
                {Unit::seconds, 3, 2, "1.5 times faster", "3.00 s ÷ 2.00 s"},
                {Unit::count, 7, 7, "the same", "7 ÷ 7"},
                {Unit::count, 0, 0, "the same", ""},
                {Unit::count, 0, 4, "", ""},
                {Unit::ratio, 0.5, 1, "", "50.0 % ÷ 100 %"}};
  for (const auto& one : kCases) {
    Ratio ratio{.unit = one.unit, .base = one.base, .own = one.own};
    EXPECT_EQ(ratio.text(), one.text) << one.base << " and " << one.own;
    EXPECT_EQ(ratio.formula(), one.formula);
    ratio.comparable = false;
    EXPECT_EQ(ratio.text() + ratio.formula(), "");
  }
}

TEST(LaunchRatios, EqualBlocksAreCompared) {
  lab::RunResult naive = ran("matmul_naive", 8, 3);
  naive.counters->total.globalLoad.bytes = 8192;
  const LaunchRatios ratios = ratiosOf(naive, ran("matmul_tiled", 8, 2), false);
  EXPECT_EQ(ratios.time.value(), 1.5);
  EXPECT_EQ(ratios.lanes.value(), 8);
  EXPECT_EQ(ratios.sectors.value(), 1);
  EXPECT_FALSE(ratios.l2.value()) << "no hardware counters were read";
  EXPECT_EQ(ratios.time.text(), "1.5 times faster");
  EXPECT_EQ(ratios.against, "naive in blocks of 8 × 8");
  EXPECT_EQ(ratios.subject, "tiled");
  EXPECT_EQ(ratios.missing, "");
}

TEST(LaunchRatios, UnequalBlocksHaveNoRatioUnlessChosen) {
  const lab::RunResult naive = ran("matmul_naive", 16, 3), tiled = ran("matmul_tiled", 8, 2);
  const LaunchRatios ratios = ratiosOf(naive, tiled, false);
  EXPECT_FALSE(ratios.comparable);
  for (const Ratio* ratio : {&ratios.time, &ratios.lanes, &ratios.sectors, &ratios.l2})
    EXPECT_FALSE(ratio->value());
  EXPECT_EQ(ratios.time.text(), "");
  EXPECT_EQ(ratios.missing,
            "No ratio: naive in blocks of 16 × 16 and tiled in blocks of 8 × 8 do not have equal "
            "blocks.");
  EXPECT_EQ(ratiosOf(naive, tiled, true).time.value(), 1.5) << "the user chose these blocks";
}

TEST(LaunchRatios, TheMissingFigureIsNamed) {
  const lab::RunResult tiled = ran("matmul_tiled", 8, 2);
  lab::RunResult naive = ran("matmul_naive", 8, 3);
  naive.measurement.reset();
  EXPECT_EQ(ratiosOf(naive, tiled, false).missing,
            "No ratio: naive in blocks of 8 × 8 has no time.");
  naive.nearest.emplace();
  EXPECT_EQ(ratiosOf(naive, tiled, false).missing,
            "No ratio: naive in blocks of 8 × 8 is not recorded.");
  EXPECT_TRUE(ratiosOf(naive, tiled, false).lanes.value()) << "counts need no time";
  lab::RunResult larger = ran("matmul_naive", 8, 3);
  larger.plan.sizes = {{"m", 128}, {"n", 128}, {"k", 128}};
  EXPECT_EQ(ratiosOf(larger, tiled, false).missing,
            "No ratio: naive in blocks of 8 × 8 ran at m = n = k = 128.");
}

TEST(LaunchRatios, TimesOfTwoMachinesAreNotCompared) {
  const lab::RunResult naive = ran("matmul_naive", 8, 3), tiled = ran("matmul_tiled", 8, 2);
  const LaunchRatios two = ratiosOf(on(naive, 1), on(tiled, 3), false);
  EXPECT_FALSE(two.time.value());
  EXPECT_EQ(two.missing,
            "No ratio, because two machines took the times: naive was timed on Test GPU no. 1, "
            "tiled on Test GPU no. 3.");
  EXPECT_TRUE(two.lanes.value()) << "counts do not depend on the machine";
}

TEST(LaunchRatios, AnUnknownMachineIsMentioned) {
  const lab::RunResult naive = on(ran("matmul_naive", 8, 3), 1);
  const lab::RunResult tiled = on(ran("matmul_tiled", 8, 2), 0);
  EXPECT_EQ(ratiosOf(naive, tiled, false).time.value(), 1.5);
  EXPECT_EQ(ratiosOf(naive, tiled, false).timeNote,
            "It is not known whether one machine took both times: naive was timed on Test GPU no. "
            "1, tiled on Test GPU (machine unknown). The ratio may include a difference between "
            "machines.");
}

TEST(LaunchRatios, LoadsThatWereNotAllCountedHaveNoRatio) {
  lab::RunResult tiled = ran("matmul_tiled", 8, 2);
  tiled.asyncCopies = true;
  const LaunchRatios ratios = ratiosOf(ran("matmul_naive", 8, 3), tiled, false);
  EXPECT_FALSE(ratios.lanes.value() || ratios.sectors.value());
  EXPECT_EQ(ratios.time.value(), 1.5);
}

}  // namespace tilestep::model::launch_ratios_test
