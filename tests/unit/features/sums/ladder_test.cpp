// SPDX-License-Identifier: Apache-2.0
#include "features/sums/ladder.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/source_root.h"

namespace tilestep::features::sum_ladder_test {

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

TEST(SumLadder, CountsOneKernelAfterAnother) {
  SumLadderRuns runs;
  runs.open(kernels());
  for (const uint64_t count : {100U, 60U}) {
    ASSERT_TRUE(runs.wanted());
    EXPECT_EQ(runs.wanted()->experiment->device, "simt");
    EXPECT_EQ(runs.wanted()->experiment->sizes.at("n"), kCountedElements);
    runs.accept(counted(count));
  }
  EXPECT_FALSE(runs.wanted());
  const std::vector<SumRung>& rungs = runs.ladder().rungs;
  ASSERT_EQ(rungs.size(), 2U);
  EXPECT_EQ(rungs[0].counts->warpInstructions, 100U);
  EXPECT_EQ(rungs[1].counts->activeLanes, 0.5);
}

TEST(SumLadder, KernelThatCannotRunDoesNotStopTheOthers) {
  SumLadderRuns runs;
  runs.open(kernels());
  runs.acceptError("no compiler");
  runs.accept(counted(1));
  EXPECT_FALSE(runs.wanted());
  EXPECT_EQ(runs.ladder().rungs[0].trouble, "no compiler");
  EXPECT_TRUE(runs.ladder().rungs[1].counts);
}

TEST(SumLadder, RestartsOnlyForOtherKernels) {
  SumLadderRuns runs;
  EXPECT_TRUE(runs.open(kernels()));
  runs.accept(counted(1));
  EXPECT_FALSE(runs.open(kernels()));
  EXPECT_TRUE(runs.ladder().rungs[0].counts);
  std::vector<compile::CatalogueEntry> others = kernels();
  others.pop_back();
  EXPECT_TRUE(runs.open(others));
  EXPECT_FALSE(runs.ladder().rungs[0].counts);
}

}  // namespace tilestep::features::sum_ladder_test
