// SPDX-License-Identifier: Apache-2.0
#include "model/launch_prediction.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "unit/trace/toy_kernels.h"

namespace tilestep::model::launch_prediction_test {

device::DeviceInfo gpu() {
  device::DeviceInfo info;
  info.name = "a GPU";
  info.computeCapability = "9.0";
  info.multiprocessors = 10;
  info.clockMhz = 1000;
  info.threadsPerMultiprocessor = 2048;
  info.blocksPerMultiprocessor = 32;
  info.registersPerMultiprocessor = 65536;
  info.l2Bytes = 1 << 20;
  return info;
}

device::Ceilings ceilings() {
  device::Ceilings ceilings;
  ceilings.dramBytesPerSecond = 1e12;
  ceilings.l2BytesPerSecond = 2e12;
  ceilings.dramLatencySeconds = 500e-9;
  ceilings.l2LatencySeconds = 200e-9;
  ceilings.l1LatencySeconds = ceilings.sharedLatencySeconds = 20e-9;
  ceilings.barrierSeconds = 10e-9;
  ceilings.instructionSeconds = 2e-9;
  ceilings.blockStartSeconds = 1e-9;
  ceilings.kernelStartSeconds = 500e-9;
  return ceilings;
}

/// Many products of two 16 x 16 matrices: 10,000 blocks of 256 threads.
lab::RunResult counted(double instructionsPerWarp) {
  lab::RunResult result;
  Launch launch;
  launch.grid = {10'000, 1, 1};
  launch.block = {16, 16, 1};
  result.plan.launches = {launch};
  compile::ResolvedOperand operand;
  operand.spec.kind = OperandKind::buffer;
  operand.spec.type = ElementType::f32;
  operand.elements = 1 << 26;
  result.plan.operands = {operand};
  trace::GridCounters& counters = result.counters.emplace();
  counters.total.globalLoad = {1 << 26, 1 << 19, 1 << 22, 1 << 28, 1 << 28};
  counters.total.globalStore = {1 << 20, 1 << 15, 1 << 17, 1 << 22, 1 << 22};
  counters.total.warpInstructions = static_cast<uint64_t>(80'000 * instructionsPerWarp);
  result.trace = trace::toy::naive(16, 16, 16);
  return result;
}

Result<PredictedSpan> spanOf(const lab::RunResult& result) {
  return predictedSpan(result, launchWorkOf(result), gpu(), ceilings());
}

/// In 16 steps, block (0, 0) loads each of its 64 sectors of both matrices. Half of a column's
/// lanes share a row.
TEST(LaunchPrediction, L2MovesUnusedLoadsAndAllStores) {
  const lab::RunResult result = counted(100);
  const auto work = launchWorkOf(result);
  ASSERT_TRUE(work && work->l2Bytes && work->waits);
  const double share = metrics::shareBeyondL1(*result.trace);
  EXPECT_LT(share, 1);
  EXPECT_DOUBLE_EQ(*work->l2Bytes, 32 * ((1 << 22) * share + (1 << 17)));
}

TEST(LaunchPrediction, DramMovesNoMoreThanL2) {
  lab::RunResult result = counted(1);
  LaunchWork work = launchWorkOf(result).value();
  work.waits.reset();  // Leaves only the resources.
  device::Ceilings slow = ceilings();
  slow.dramBytesPerSecond = 1e9;
  work.l2Bytes = 2e6;
  EXPECT_DOUBLE_EQ(predictedTime(result, work, gpu(), slow)->seconds, 2e6 / 1e9);
  work.l2Bytes = 1e6;
  EXPECT_NE(predictedTime(result, work, gpu(), slow)->limit, "DRAM") << "all fits into L2";
  work.l2Bytes = 4e8;  // The buffer has 268,435,456 bytes.
  EXPECT_DOUBLE_EQ(predictedTime(result, work, gpu(), slow)->seconds, (4.0 * (1 << 26)) / 1e9);
}

TEST(LaunchPrediction, OnlyUnknownRegistersGiveASpan) {
  lab::RunResult result = counted(100);
  const auto unknown = valueOrThrow(spanOf(result));
  EXPECT_LT(unknown.low, unknown.high) << "with 64 registers half as many blocks are resident";
  result.registers = 32;
  const auto few = spanOf(result);
  EXPECT_DOUBLE_EQ(few->low, unknown.low);
  EXPECT_DOUBLE_EQ(few->high, few->low);
  result.registers = 64;
  EXPECT_DOUBLE_EQ(spanOf(result)->high, unknown.high);
  EXPECT_NEAR(unknown.middle() * unknown.middle(), unknown.low * unknown.high, 1e-18);
}

TEST(LaunchPrediction, ErrorsExplainMissingPredictions) {
  const auto why = [](auto change) {
    lab::RunResult result = counted(100);
    change(result);
    const auto span = spanOf(result);
    return span ? std::string() : span.error().message;
  };
  EXPECT_EQ(why([](lab::RunResult&) {}), "");
  EXPECT_EQ(why([](lab::RunResult& r) { r.counters.reset(); }),
            "The launch was not counted completely.");
  EXPECT_EQ(why([](lab::RunResult& r) { r.blockAlone = true; }),
            "The launch was not counted completely.");
  EXPECT_EQ(why([](lab::RunResult& r) { r.trace.reset(); }),
            "The trace of a block is too long to be kept completely.");
  EXPECT_EQ(why([](lab::RunResult& r) { r.faults.push_back({.kind = "out-of-bounds"}); }),
            "The launch was stopped by a fault.");
  EXPECT_EQ(why([](lab::RunResult& r) { r.faults.push_back({.kind = "timeout"}); }),
            "The interpreter did not finish the launch in time.");
  EXPECT_EQ(why([](lab::RunResult& r) { r.plan.launches.push_back(r.plan.launches[0]); }),
            "The run has several launches.");
  EXPECT_EQ(why([](lab::RunResult& r) { r.plan.launches[0].cooperative = true; }),
            "All blocks of a cooperative launch wait for each other, which the model does not "
            "include.");
  EXPECT_EQ(why([](lab::RunResult& r) { r.withoutAtomics = {"global_load_bytes"}; }),
            "The kernel uses atomic operations, whose cost was not measured.");
  EXPECT_EQ(why([](lab::RunResult& r) { r.asyncCopies = true; }),
            "The kernel copies asynchronously, and it is not known how much waiting that hides.");
  EXPECT_EQ(why([](lab::RunResult& r) { r.counters->total.globalLoad.requests = 1 << 21; }),
            "Its warps load many times with no barrier in between, and only the machine code "
            "shows how many of these loads wait together.");
  EXPECT_EQ(why([](lab::RunResult& r) {
              r.plan.launches[0].block = {2048, 1, 1};
            }),
            "A block of the launch does not fit on a GPU.");
  const lab::RunResult result = counted(100);
  EXPECT_EQ(predictedSpan(result, launchWorkOf(result), gpu(), {}).error().message,
            "The memory latencies of a GPU are not known.");
}

}  // namespace tilestep::model::launch_prediction_test
