// SPDX-License-Identifier: Apache-2.0
#include "features/sums/ladder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/source_root.h"

namespace tilestep::model {
namespace sum_ladder_test {

std::vector<compile::CatalogueEntry> kernels() {
  std::vector<compile::CatalogueEntry> entries;
  for (const char* name : {"reduce_neighbored", "reduce_interleaved"}) {
    const auto source = compile::findKernel(support::sourceRoot() + "/kernels", name).value();
    entries.push_back({source, compile::parseKernel(source).value(), {}});
  }
  return entries;
}

lab::RunResult counted(uint64_t warpInstructions) {
  lab::RunResult result;
  result.counters.emplace().total.warpInstructions = warpInstructions;
  result.counters->total.threadInstructions = 16 * warpInstructions;
  return result;
}

lab::RunResult timed(double ms) {
  lab::RunResult result;
  result.measurement.emplace().medianMs = ms;
  return result;
}

TEST(SumLadder, CountsEachKernelAndThenTimesEach) {
  SumLadderRuns runs;
  device::DeviceInfo device;
  device.id = "cuda:0";
  runs.open(kernels(), &device);
  for (const uint64_t count : {100U, 60U}) {
    ASSERT_TRUE(runs.wanted());
    EXPECT_EQ(runs.wanted()->device, "simt");
    EXPECT_EQ(runs.wanted()->sizes.at("n"), kCountedElements);
    runs.accept(counted(count));
  }
  EXPECT_EQ(runs.wanted()->device, "cuda:0");
  EXPECT_EQ(runs.wanted()->sizes.at("n"), kTimedElements);
  runs.accept(timed(2));
  runs.accept({});
  EXPECT_FALSE(runs.wanted());
  const std::vector<SumRung>& rungs = runs.ladder().rungs;
  ASSERT_EQ(rungs.size(), 2U);
  EXPECT_EQ(rungs[0].counts->warpInstructions, 100U);
  EXPECT_EQ(rungs[1].counts->activeLanes, 0.5);
  EXPECT_EQ(readRateOf(rungs[0]), 4.0 * kTimedElements / 2e-3);
  EXPECT_TRUE(rungs[1].isTimed);
  EXPECT_FALSE(rungs[1].seconds) << "the device has no time of it";
}

TEST(SumLadder, WithoutADeviceThereAreNoTimes) {
  SumLadderRuns runs;
  runs.open(kernels(), nullptr);
  runs.accept(counted(1));
  runs.acceptError("no compiler");
  EXPECT_FALSE(runs.wanted());
  EXPECT_EQ(runs.ladder().rungs[1].trouble, "no compiler");
  EXPECT_EQ(runs.ladder().device, "");
}

TEST(SumLadder, BeginsAnewOnAnotherDeviceAlone) {
  SumLadderRuns runs;
  EXPECT_TRUE(runs.open(kernels(), nullptr));
  runs.accept(counted(1));
  EXPECT_FALSE(runs.open(kernels(), nullptr));
  EXPECT_TRUE(runs.ladder().rungs[0].counts);
  device::DeviceInfo recording;
  recording.id = "recorded:x";
  recording.recordedOn = "2026-11-21";
  runs.open(kernels(), &recording);
  EXPECT_FALSE(runs.ladder().rungs[0].counts);
  EXPECT_TRUE(runs.ladder().recorded);
}

}  // namespace sum_ladder_test
}  // namespace tilestep::model
