// SPDX-License-Identifier: Apache-2.0
#include "lab/agreement.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/results.h"

namespace tilestep::lab::agreement_test {

using Match = AgreementRow::Match;

compile::ResolvedOperand buffer(Direction direction, uint64_t elements) {
  compile::ResolvedOperand operand;
  operand.spec.direction = direction;
  operand.elements = elements;
  return operand;
}

/// A product of 64 × 64 matrices on a GPU with 64 warps per multiprocessor.
RunResult product() {
  RunResult result;
  result.plan.sizes = {{"m", 64}, {"n", 64}, {"k", 64}};
  result.plan.operations = 2.0 * 64 * 64 * 64;
  result.plan.operands = {buffer(Direction::in, 4096), buffer(Direction::in, 4096),
                          buffer(Direction::out, 4096)};
  result.plan.launches = {{"x", {4, 4, 1}, {16, 16, 1}, 0}};
  result.device.computeCapability = "9.0";
  result.device.threadsPerMultiprocessor = 2048;
  result.device.blocksPerMultiprocessor = 32;
  result.device.registersPerMultiprocessor = 65536;
  result.device.sharedBytesPerMultiprocessor = 233472;
  result.device.sharedBytesReservedPerBlock = 1024;
  result.device.limits.sharedBytesPerBlockOptIn = 232448;
  result.registers = 64;
  result.counters.emplace();
  result.counters->total.globalLoad.requests = 100;
  result.counters->total.sharedLoad.wavefronts = 400;
  result.counters->total.ffma = 64 * 64 * 64;
  result.hardware.emplace();
  return result;
}

void put(RunResult& result, const char* name, double value) {
  result.hardware->figures.push_back({name, "its_metric", Unit::count, value});
}

AgreementRow rowOf(const RunResult& result, const std::string& name) {
  const std::vector<AgreementRow> rows = compare(result);
  const auto row = std::ranges::find(rows, name, &AgreementRow::name);
  EXPECT_NE(row, rows.end()) << name;
  return row == rows.end() ? AgreementRow{} : *row;
}

TEST(Comparison, ExpectedDifferencesAreExplained) {
  RunResult result = product();
  result.uncertain = {{UncertainCounts::Why::unrolled, 31, {"global_load_requests"}}};
  put(result, "global_load_requests", 147);
  const AgreementRow row = rowOf(result, "global_load_requests");
  EXPECT_EQ(row.match, Match::differs);
  EXPECT_EQ(row.note, whyText(result.uncertain[0]));
}

TEST(Comparison, EqualCountsMatchAndMissingCountsAreUnknown) {
  RunResult result = product();
  const AgreementRow missing = rowOf(result, "global_load_requests");
  EXPECT_FALSE(missing.hardware);
  EXPECT_EQ(missing.match, Match::unknown);
  EXPECT_EQ(rowOf(result, "dram_bytes_read").match, Match::unknown);
  EXPECT_TRUE(compare(RunResult{}).empty());
  put(result, "global_load_requests", 100);
  const AgreementRow row = rowOf(result, "global_load_requests");
  EXPECT_EQ(row.counted, 100);
  EXPECT_EQ(row.hardware, 100);
  EXPECT_FALSE(row.predicted);
  EXPECT_EQ(row.match, Match::same);
  EXPECT_EQ(row.metric, "its_metric");
  EXPECT_EQ(row.note, "");
}

TEST(Comparison, DifferencesHaveReasonsAndRefusedCountersKeepOtherColumns) {
  RunResult result = product();
  put(result, "global_load_requests", 101);
  put(result, "shared_load_wavefronts", 150);
  EXPECT_EQ(rowOf(result, "global_load_requests").match, Match::differs);
  const AgreementRow shared = rowOf(result, "shared_load_wavefronts");
  EXPECT_EQ(shared.match, Match::differs);
  EXPECT_TRUE(has(shared.note, "widens"));
  result.hardware->figures.back().value = 401;
  EXPECT_TRUE(has(rowOf(result, "shared_load_wavefronts").note, "arbitration"));
  RunResult refused = product();
  refused.hardware->refused = "No hardware counters: ask.";
  const AgreementRow row = rowOf(refused, "ffma");
  EXPECT_EQ(row.match, Match::same);
  EXPECT_FALSE(row.hardware);
}

TEST(Comparison, MultiplyAddsArePredictedOnlyForProducts) {
  RunResult result = product();
  put(result, "ffma", 64 * 64 * 64);
  EXPECT_EQ(rowOf(result, "ffma").predicted, 64 * 64 * 64);
  EXPECT_EQ(rowOf(result, "ffma").match, Match::same);
  result.counters->total.ffma += 64;  // tiles past the edge
  result.hardware->figures.back().value += 64;
  EXPECT_EQ(rowOf(result, "ffma").match, Match::differs);
  EXPECT_NE(rowOf(result, "ffma").note, "");
  result.plan.operations = 64 * 64;  // a sum of elements
  EXPECT_FALSE(rowOf(result, "ffma").predicted);
  EXPECT_EQ(rowOf(result, "ffma").match, Match::same);
}

TEST(Comparison, TheoreticalOccupancyIsAnUpperBound) {
  RunResult result = product();
  put(result, "achieved_occupancy", 0.47);
  const AgreementRow row = rowOf(result, "achieved_occupancy");
  EXPECT_EQ(row.predicted, 0.5);  // 64 registers: 4 blocks of 8 warps, of 64
  EXPECT_EQ(row.match, Match::within);
  EXPECT_DOUBLE_EQ(*row.factor(), 0.94);
  result.hardware->figures.back().value = 0.6;
  EXPECT_EQ(rowOf(result, "achieved_occupancy").match, Match::differs);
  result.registers.reset();
  EXPECT_FALSE(rowOf(result, "achieved_occupancy").predicted) << "no machine code, no limit";
}

TEST(Comparison, ReadingInputsOnceIsALowerBoundForDram) {
  RunResult result = product();
  put(result, "dram_bytes_read", 33000);
  const AgreementRow row = rowOf(result, "dram_bytes_read");
  EXPECT_EQ(row.predicted, 2 * 4096 * 4);
  EXPECT_EQ(row.match, Match::within);
  EXPECT_GT(*row.factor(), 1);
  result.hardware->figures.back().value = 20000;
  EXPECT_EQ(rowOf(result, "dram_bytes_read").match, Match::differs);
}

}  // namespace tilestep::lab::agreement_test
