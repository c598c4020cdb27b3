// SPDX-License-Identifier: Apache-2.0
#include "model/scene/sums_in_memory.h"

#include <gtest/gtest.h>

#include "model/text/step_summary.h"
#include "unit/features/divergence/traced_here.h"

namespace tilestep::model::sums_in_memory_test {

const compile::Bindings kFour{{"m", 4}, {"n", 4}, {"k", 4}}, kBlock{{"BLOCK_X", 2}, {"BLOCK_Y", 2}};

TEST(SumsInMemory, AreStoredAfterEachUpdate) {
  EXPECT_TRUE(sumsInMemory(*features::tracedHere("matmul_in_memory", kFour, kBlock)));
  EXPECT_FALSE(sumsInMemory(*features::tracedHere("matmul_naive", kFour, kBlock)));
  EXPECT_FALSE(sumsInMemory(
      *features::tracedHere("matmul_tiled", {{"m", 8}, {"n", 8}, {"k", 8}}, {{"TILE_WIDTH", 4}})));
}

TEST(SumsInMemory, AreClearedAndStoredAndOthersWrittenBack) {
  const auto side = features::tracedHere("matmul_in_memory", kFour, kBlock);
  const auto first = makeStep(side, trace::StepGranularity::event, 0);
  EXPECT_EQ(kindText(*first), "clear");
  EXPECT_EQ(sentenceOf(first.get(), nullptr), "Clear: 4 threads store 4 elements.");
  std::string last;
  for (size_t i = 1; i < side->replay->size(trace::StepGranularity::event); ++i) {
    const auto step = makeStep(side, trace::StepGranularity::event, i);
    if (step->step.kind == trace::StepKind::writeBack) last = kindText(*step);
  }
  EXPECT_EQ(last, "store");
  const auto plain = features::tracedHere("matmul_naive", kFour, kBlock);
  const size_t count = plain->replay->size(trace::StepGranularity::event);
  EXPECT_EQ(kindText(*makeStep(plain, trace::StepGranularity::event, count - 1)), "write-back");
}

}  // namespace tilestep::model::sums_in_memory_test
