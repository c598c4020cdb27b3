// SPDX-License-Identifier: Apache-2.0
// The samples of a measurement, and their selection. Needs no GPU.
#include "device/cuda/measure/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "device/cuda/measure/measure_probe.h"
#include "support/results.h"

namespace tilestep::cuda::sampling_test {

std::vector<Sample> samplesOf(const std::vector<double>& ms, double mhz = 1980) {
  std::vector<Sample> samples;
  for (const double value : ms) samples.push_back({value, mhz});
  return samples;
}

TEST(MeasurePlan, BatchesShortRunsAndLimitsLongOnes) {
  EXPECT_EQ(planMeasurement(0.002, true, false).batch, 100U);
  EXPECT_EQ(planMeasurement(0.002, false, false).batch, 1U);
  EXPECT_EQ(planMeasurement(2.0, true, false).batch, 1U);
  const MeasurePlan slow = planMeasurement(10000.0, true, false);
  EXPECT_EQ(slow.mostSamples, 1U);
  EXPECT_EQ(slow.warmUp, 0U);
  EXPECT_EQ(slow.coldSamples, 0U);
  EXPECT_EQ(planMeasurement(10000.0, true, true).coldSamples, 1U);
}

TEST(MeasurePlan, WholeMeasurementStaysShort) {
  for (double runMs = 0.001; runMs < 100; runMs *= 1.7) {
    const MeasurePlan plan = planMeasurement(runMs, true, false);
    std::vector<Sample> noisy;
    while (!isEnough(plan, noisy, judge(noisy))) {
      noisy.push_back({runMs * (noisy.size() % 2 == 0 ? 1.0 : 1.2), 1980});
    }
    double totalMs = runMs * plan.warmUp;
    for (const Sample& sample : noisy) totalMs += sample.ms * plan.batch;
    EXPECT_LT(totalMs, std::max(45.0, 9 * runMs)) << runMs;
    EXPECT_GE(noisy.size(), 5U) << runMs;
    EXPECT_LE(noisy.size(), 200U) << runMs;
  }
}

TEST(MeasurePlan, ConsistentSamplesEndItSooner) {
  const MeasurePlan plan = planMeasurement(0.25, true, false);
  const auto takes = [&](double jitter) {
    std::vector<Sample> samples;
    while (!isEnough(plan, samples, judge(samples))) {
      samples.push_back({0.25 + (samples.size() % 2 == 0 ? jitter : -jitter), 1980});
    }
    return samples.size();
  };
  EXPECT_LT(takes(0.0001), takes(0.02));
  EXPECT_GE(static_cast<double>(takes(0)) * 0.25 * plan.batch, plan.leastMs);
}

TEST(MeasurePlan, ThoroughTakesLongerAndIncludesColdRuns) {
  const MeasurePlan plan = planMeasurement(0.25, true, true);
  EXPECT_GE(plan.leastMs, 10 * planMeasurement(0.25, true, false).leastMs);
  EXPECT_GE(plan.coldSamples, 20U);
  const MeasurePlan longer = planMeasurement(40, true, true);
  std::vector<Sample> samples(19, {40, 1980});
  EXPECT_FALSE(isEnough(longer, samples, judge(samples))) << "quiet, and still too few";
  samples.push_back({40, 1980});
  EXPECT_TRUE(isEnough(longer, samples, judge(samples)));
}

TEST(Judge, RejectsSamplesOfASlowClock) {
  std::vector<Sample> samples = samplesOf({1, 1, 1, 1, 1});
  samples.push_back({1.5, 1200});    // still waking up
  samples.push_back({1.005, 1965});  // One step of the clock, which is normal.
  const Judged judged = judge(samples);
  EXPECT_EQ(judged.rejected, 1U);
  ASSERT_EQ(judged.kept.size(), 6U);
  EXPECT_DOUBLE_EQ(judged.kept.back().mhz, 1965);
}

TEST(Judge, APersistentSlowClockIsAccepted) {
  std::vector<Sample> samples = samplesOf({2, 2, 2, 2, 2, 2}, 1000);
  samples.push_back({1, 1980});
  const Judged judged = judge(samples);
  EXPECT_EQ(judged.rejected, 1U);
  EXPECT_DOUBLE_EQ(summarise(judged).medianMs, 2);
  EXPECT_EQ(summarise(judged).clockMhz, std::optional<uint32_t>(1000));
}

TEST(Judge, WithoutClocksAllSamplesCount) {
  const Judged judged = judge(samplesOf({1, 2, 3}, 0));
  EXPECT_EQ(judged.kept.size(), 3U);
  EXPECT_EQ(judged.rejected, 0U);
  EXPECT_FALSE(summarise(judged).clockMhz.has_value());
}

TEST(Noise, IsTheStandardErrorOfTheMean) {
  EXPECT_TRUE(std::isinf(relativeStandardError(samplesOf({1}))));
  EXPECT_DOUBLE_EQ(relativeStandardError(samplesOf({3, 3, 3})), 0);
  EXPECT_NEAR(relativeStandardError(samplesOf({1, 3})), std::sqrt(2.0) / std::sqrt(2.0) / 2, 1e-12);
}

TEST(Summarise, OrdersItsFigures) {
  const device::Measurement m = summarise(judge(samplesOf({5, 1, 4, 2, 3})));
  EXPECT_DOUBLE_EQ(m.minMs, 1);
  EXPECT_DOUBLE_EQ(m.medianMs, 3);
  EXPECT_DOUBLE_EQ(m.p10Ms, 1.4);
  EXPECT_DOUBLE_EQ(m.p90Ms, 4.6);
  EXPECT_DOUBLE_EQ(m.spread, (4.6 - 1.4) / 3);
  EXPECT_EQ(m.repetitions, 5U);
}

TEST(Method, IsOneShortLine) {
  EXPECT_EQ(methodOf(planMeasurement(0.25, true, false), 30, true),
            "median of 30 means of 4 back-to-back runs, warm L2 cache");
  EXPECT_EQ(methodOf(planMeasurement(5, true, false), 6, true),
            "median of 6 single runs, warm L2 cache");
  EXPECT_EQ(methodOf(planMeasurement(1e4, true, false), 1, true),
            "one sample, a single run, warm L2 cache");
  EXPECT_TRUE(has(methodOf(planMeasurement(5, true, false), 6, false), "one after the other"));
}

TEST(ClockStamps, GiveTheClockBetweenNeighbours) {
  // Two multiprocessors and three stamps. The second interval's clock is slower; ticks of 32 ns.
  const std::vector<ClockStamp> stamps = {
      {1000, 32'000},         {500, 32'032},           // before
      {2'001'000, 1'032'000}, {2'000'500, 1'032'032},  // 1 ms at 2000 MHz
      {3'001'000, 2'032'000}, {3'000'500, 2'032'032},  // 1 ms at 1000 MHz
  };
  const std::vector<double> mhz = clocksBetween(stamps, 2);
  ASSERT_EQ(mhz.size(), 2U);
  EXPECT_NEAR(mhz[0], 2000, 1e-6);
  EXPECT_NEAR(mhz[1], 1000, 1e-6);
}

TEST(ClockStamps, AMissingStampIsLeftOut) {
  const std::vector<ClockStamp> stamps = {
      {1000, 32'000}, {0, 0}, {2'001'000, 1'032'000}, {2'000'500, 1'032'032}};
  EXPECT_NEAR(clocksBetween(stamps, 2).at(0), 2000, 1e-6);
}

TEST(ClockStamps, ATimerThatIsTooCoarseGivesNoClock) {
  // The timer ticks once per millisecond, and one tick is too coarse for one percent.
  const std::vector<ClockStamp> stamps = {{1000, 1'024'000}, {2'000'000, 2'048'000}};
  EXPECT_EQ(clocksBetween(stamps, 1), std::vector<double>{0});
}

}  // namespace tilestep::cuda::sampling_test
