// SPDX-License-Identifier: Apache-2.0
#include "model/launch_ratios.h"

#include <gtest/gtest.h>

namespace tilestep::model {
namespace launch_ratios_test {

/// A run in blocks of a side × side that took so long.
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

TEST(LaunchRatios, EqualBlocksAreCompared) {
  lab::RunResult naive = ran("matmul_naive", 8, 3);
  naive.counters->total.globalLoad.bytes = 8192;
  const LaunchRatios ratios = ratiosOf(naive, ran("matmul_tiled", 8, 2), false);
  EXPECT_EQ(ratios.time, 1.5);
  EXPECT_EQ(ratios.lanes, 8);
  EXPECT_EQ(ratios.sectors, 1);
  EXPECT_FALSE(ratios.l2) << "no hardware counters were read";
  EXPECT_EQ(timeText(ratios), "1.5 times faster");
  EXPECT_EQ(ratios.against, "naive in blocks of 8 × 8");
  EXPECT_EQ(ratios.subject, "tiled");
  EXPECT_EQ(ratios.missing, "");
}

TEST(LaunchRatios, BlocksOfOtherShapesHaveNoRatio) {
  const lab::RunResult naive = ran("matmul_naive", 16, 3), tiled = ran("matmul_tiled", 8, 2);
  const LaunchRatios ratios = ratiosOf(naive, tiled, false);
  EXPECT_FALSE(ratios.comparable);
  EXPECT_FALSE(ratios.time || ratios.lanes || ratios.sectors || ratios.l2);
  EXPECT_EQ(timeText(ratios), "");
  EXPECT_EQ(ratios.missing,
            "No ratio: naive in blocks of 16 × 16 and tiled in blocks of 8 × 8 do not have equal "
            "blocks.");
  EXPECT_EQ(ratiosOf(naive, tiled, true).time, 1.5) << "a person chose these blocks";
}

TEST(LaunchRatios, MissingFiguresAreNamed) {
  const lab::RunResult tiled = ran("matmul_tiled", 8, 2);
  lab::RunResult naive = ran("matmul_naive", 8, 3);
  naive.measurement.reset();
  EXPECT_EQ(ratiosOf(naive, tiled, false).missing,
            "No ratio: naive in blocks of 8 × 8 has no time.");
  naive.nearest.emplace();
  EXPECT_EQ(ratiosOf(naive, tiled, false).missing,
            "No ratio: naive in blocks of 8 × 8 is not recorded.");
  EXPECT_TRUE(ratiosOf(naive, tiled, false).lanes) << "counts need no time";
  lab::RunResult larger = ran("matmul_naive", 8, 3);
  larger.plan.sizes = {{"m", 128}, {"n", 128}, {"k", 128}};
  EXPECT_EQ(ratiosOf(larger, tiled, false).missing,
            "No ratio: naive in blocks of 8 × 8 ran at m = n = k = 128.");
}

TEST(LaunchRatios, TimesOfTwoMachinesAreNotCompared) {
  const lab::RunResult naive = ran("matmul_naive", 8, 3), tiled = ran("matmul_tiled", 8, 2);
  const LaunchRatios two = ratiosOf(on(naive, 1), on(tiled, 3), false);
  EXPECT_FALSE(two.time);
  EXPECT_EQ(two.missing,
            "No ratio, because two machines took the times: naive was timed on Test GPU no. 1, "
            "tiled on Test GPU no. 3.");
  EXPECT_TRUE(two.lanes) << "counts do not depend on the machine";
}

TEST(LaunchRatios, ThatOneMachineTookBothTimesIsNotAssumed) {
  const lab::RunResult naive = on(ran("matmul_naive", 8, 3), 1);
  const lab::RunResult tiled = on(ran("matmul_tiled", 8, 2), 0);
  EXPECT_EQ(ratiosOf(naive, tiled, false).time, 1.5);
  EXPECT_EQ(ratiosOf(naive, tiled, false).timeNote,
            "It is not known whether one machine took both times: naive was timed on Test GPU no. "
            "1, tiled on Test GPU (machine unknown). The ratio may include a difference between "
            "machines.");
}

TEST(LaunchRatios, LoadsThatWereNotAllCountedHaveNoRatio) {
  lab::RunResult tiled = ran("matmul_tiled", 8, 2);
  tiled.asyncCopies = true;
  const LaunchRatios ratios = ratiosOf(ran("matmul_naive", 8, 3), tiled, false);
  EXPECT_FALSE(ratios.lanes || ratios.sectors);
  EXPECT_EQ(ratios.time, 1.5);
}

}  // namespace launch_ratios_test
}  // namespace tilestep::model
