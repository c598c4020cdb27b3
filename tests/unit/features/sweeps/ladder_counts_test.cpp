// SPDX-License-Identifier: Apache-2.0
// The counts of the ladder's rungs, and the requests for them.
#include "features/sweeps/ladder_counts.h"

#include <string>

#include "features/roofline/roofline_view.h"
#include "unit/features/sweeps/ladder_fixture.h"

namespace tilestep::features::ladder_counts_test {

TEST(RungCountsOf, LinesAndMergeableLoadsComeFromTheTracedBlock) {
  lab::RunResult result;
  result.counters.emplace();
  trace::Counters& total = result.counters->total;
  total.ffma = 3200;
  total.globalLoad = {64, 20, 330, 100'000, 100'000};
  total.sharedLoad = {10, 330, 320};
  total.warpInstructions = 500;
  trace::BlockTrace recording;
  std::vector<uint32_t> apart(32), along(32, 64);
  for (uint32_t i = 0; i < 32; ++i) apart[i] = i * 4096;
  std::vector<std::byte> values(128);
  trace::TraceEvent event;
  event.width = 4;
  event.mask = ~0U;
  event.space = trace::Space::global;
  event.offsets = apart;
  event.values = values;
  recording.append(event);
  event.offsets = along;  // All lanes one element.
  recording.append(event);
  event.space = trace::Space::shared;
  for (uint32_t i = 0; i < 32; ++i) apart[i] = i * 128;  // One bank.
  event.offsets = apart;
  recording.append(event);
  result.trace = std::make_shared<const trace::BlockTrace>(recording);
  const RungCounts counts = rungCountsOf(result);
  EXPECT_EQ(counts.reason, "");
  EXPECT_DOUBLE_EQ(counts.warpMultiplyAdds(), 100);
  ASSERT_TRUE(counts.work.globalLines);
  EXPECT_DOUBLE_EQ(*counts.work.globalLines, 20 * 33.0 / 2);  // 32 lines and one, of two requests.
  EXPECT_DOUBLE_EQ(counts.work.sharedWavefronts, 330);
  EXPECT_DOUBLE_EQ(counts.work.sharedLeast, 330 / 4.0);
  EXPECT_FALSE(counts.work.copiesUncounted);
}

TEST(RungCountsOf, CopiesAreDetectedInTheProgram) {
  lab::RunResult result;
  result.counters.emplace();
  result.counters->total.ffma = 32;
  result.counters->total.globalLoad = {1000, 100, 100, 1'000'000, 1'000'000};  // Flags, sums.
  result.plan.operations = 64;
  EXPECT_TRUE(loadsAreCounted(result));
  EXPECT_FALSE(rungCountsOf(result).work.copiesUncounted);
  EXPECT_EQ(rooflineWorkOf(result, false).askedBytes, 1'000'000U);
  result.asyncCopies = true;
  EXPECT_FALSE(loadsAreCounted(result));
  EXPECT_TRUE(rungCountsOf(result).work.copiesUncounted);
  EXPECT_EQ(rooflineWorkOf(result, false).askedBytes, 0U);
  EXPECT_EQ(rooflineWorkOf(result, false).sectorBytes, 0U);
}

/// A block of 128 x 128 threads: loads of 8 bytes per thread and k, stores of eight sectors each.
RungCounts atK(double k) {
  RungCounts counts;
  counts.total.globalLoad.bytes = static_cast<uint64_t>(1024 * k);
  counts.total.globalStore.bytes = 65536;
  counts.work.multiplyAdds = 128 * 128 * k;
  counts.work.globalSectors = 32 * k + 16384;
  counts.work.globalLines = 8 * k + 4096;
  counts.work.warpInstructions = 600 * k + 5000;
  return counts;
}

TEST(RungCountsAt, IsLinearInK) {
  const RungCounts at = rungCountsAt(atK(256), atK(512), 4096);
  EXPECT_EQ(at.sizes.at("k"), 4096);
  EXPECT_EQ(at.total.globalLoad.bytes, 1024U * 4096);
  EXPECT_EQ(at.total.globalStore.bytes, 65536U);
  EXPECT_DOUBLE_EQ(at.work.multiplyAdds, 128.0 * 128 * 4096);
  // 25.6 at the k that was counted.
  EXPECT_NEAR(2 * at.work.multiplyAdds / (32 * at.work.globalSectors), 28.44, 0.01);
  EXPECT_DOUBLE_EQ(at.work.globalLines.value(), 8 * 4096 + 4096);
  EXPECT_DOUBLE_EQ(at.work.warpInstructions.value(), 600 * 4096 + 5000);
  RungCounts lacking = atK(512);
  lacking.work.globalLines.reset();
  EXPECT_FALSE(rungCountsAt(atK(256), lacking, 4096).work.globalLines);
  lacking.reason = "It has no end.";
  EXPECT_EQ(rungCountsAt(atK(256), lacking, 4096).reason, "It has no end.");
  EXPECT_GE(rungCountsAt(atK(512), atK(256), 65536).work.multiplyAdds, 0);  // No negative counts.
}

TEST_F(LadderCase, ARungIsRequestedThreeTimesAndRunAgainRetriesFailures) {
  LadderCounts keeper;
  const std::string first = keeper.wanted(*plan)->source.path;
  const SweepPoint& point = pointOf("rung01_uncoalesced");
  for (int i = 0; i < 2; ++i) {
    keeper.acceptError("The worker ended.", true);
    EXPECT_EQ(keeper.find(plan->series[point.series], point), nullptr);
    EXPECT_EQ(keeper.wanted(*plan)->source.path, first);
  }
  keeper.acceptError("The worker ended.", true);
  ASSERT_NE(keeper.find(plan->series[point.series], point), nullptr);
  EXPECT_EQ(keeper.find(plan->series[point.series], point)->reason, "The worker ended.");
  EXPECT_NE(keeper.wanted(*plan)->source.path, first);
  keeper.forgetFailed();
  EXPECT_EQ(keeper.find(plan->series[point.series], point), nullptr);
  EXPECT_EQ(keeper.wanted(*plan)->source.path, first);
  keeper.acceptError("It cannot be compiled.", false);  // No use asking again.
  EXPECT_NE(keeper.wanted(*plan)->source.path, first);
}

}  // namespace tilestep::features::ladder_counts_test
