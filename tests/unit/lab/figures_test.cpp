// SPDX-License-Identifier: Apache-2.0
#include "lab/figures.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace tilestep::lab::figures_test {

RunResult timed() {
  RunResult result;
  result.plan.operations = 2.0 * 1024 * 1024 * 1024;
  result.measurement = device::Measurement{};
  result.measurement->medianMs = 0.25;
  return result;
}

TEST(Figures, GflopsIsOperationsOverTheMedian) {
  EXPECT_NEAR(*gflopsOf(timed()), 8589.9, 0.1);
  RunResult result = timed();
  result.plan.operations = 0;
  EXPECT_FALSE(gflopsOf(result));
  EXPECT_FALSE(gflopsOf(RunResult{}));
}

TEST(Figures, AskedBandwidthNeedsCountersAndATime) {
  RunResult result = timed();
  EXPECT_FALSE(askedBandwidthGbsOf(result));
  result.counters.emplace();
  result.counters->total.globalLoad.bytes = 900000;
  result.counters->total.globalStore.bytes = 100000;
  EXPECT_DOUBLE_EQ(*askedBandwidthGbsOf(result), 4);
  result.measurement.reset();
  EXPECT_FALSE(askedBandwidthGbsOf(result));
}

TEST(Figures, CompulsoryBytesCountEveryBufferOnce) {
  compile::Plan plan;
  const auto add = [&](OperandKind kind, Direction direction, uint64_t elements) {
    compile::ResolvedOperand operand;
    operand.spec.kind = kind;
    operand.spec.direction = direction;
    operand.elements = elements;
    plan.operands.push_back(operand);
  };
  add(OperandKind::buffer, Direction::in, 10);
  add(OperandKind::buffer, Direction::out, 5);
  add(OperandKind::buffer, Direction::inout, 1);
  add(OperandKind::scalar, Direction::in, 1);
  EXPECT_EQ(compulsoryBytesOf(plan), 4U * (10 + 5 + 2));
}

TEST(Figures, UncountedCountersAreAbsent) {
  const auto names = [](const trace::Counters& counters) {
    std::string text;
    for (const NamedCount& count : namedCounts(counters)) text += count.name + " ";
    return text;
  };
  trace::Counters counters;
  EXPECT_FALSE(has(names(counters), "warp_instructions"));
  EXPECT_FALSE(has(names(counters), "divergent_branches"));
  counters.warpInstructions = counters.branches = counters.divergentBranches = 0;
  EXPECT_TRUE(has(names(counters), "warp_instructions"));
  EXPECT_TRUE(has(names(counters), " branches divergent_branches"));
}

}  // namespace tilestep::lab::figures_test
