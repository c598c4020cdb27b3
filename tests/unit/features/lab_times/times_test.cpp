// SPDX-License-Identifier: Apache-2.0
#include "features/lab_times/times.h"

#include <gtest/gtest.h>

namespace tilestep::features::lab_times_test {

/// A copy of 2^26 floats (536,870,912 bytes) on a device whose DRAM copies 4 TB/s and reads 5 TB/s.
lab::RunResult copied() {
  lab::RunResult result;
  result.device.name = "a device";
  result.device.computeCapability = "9.0";
  result.device.multiprocessors = 100;
  result.device.clockMhz = 2000;
  result.device.l2Bytes = 1 << 20;
  result.plan.sizes = {{"n", 1 << 26}};
  Launch launch;
  launch.grid = {1 << 18, 1, 1};
  launch.block = {256, 1, 1};
  result.plan.launches = {launch};
  for (const Direction direction : {Direction::in, Direction::out}) {
    compile::ResolvedOperand operand;
    operand.spec.kind = OperandKind::buffer;
    operand.spec.type = ElementType::f32;
    operand.spec.direction = direction;
    operand.elements = 1 << 26;
    result.plan.operands.push_back(operand);
  }
  trace::GridCounters& counters = result.counters.emplace();
  counters.total.globalLoad = {1 << 26, 1 << 21, 1 << 23, 1 << 28, 1 << 28};
  counters.total.globalStore = counters.total.globalLoad;
  counters.total.threadInstructions = uint64_t{10} << 26;
  result.measurement.emplace().medianMs = 0.15;
  return result;
}

device::Ceilings ceilings() {
  device::Ceilings ceilings;
  ceilings.dramBytesPerSecond = 5e12;
  ceilings.dramCopyBytesPerSecond = 4e12;
  return ceilings;
}

const LabKernel kKernel{"copy_offset",    {{"BLOCK", 64}},  {},
                        {{"n", 1 << 26}}, {{"BLOCK", 256}}, "3 ms"};

LabTime timeOf(const lab::RunResult& result, const device::Ceilings* ceilings) {
  return labTimeOf(kKernel, result, launchWorkOf(result), ceilings);
}

TEST(LabTimes, CopyIsPredictedAtTheCopyRate) {
  const device::Ceilings limits = ceilings();
  const LabTime time = timeOf(copied(), &limits);
  ASSERT_TRUE(time.predictedSeconds && time.ratio());
  EXPECT_EQ(time.limit, "DRAM");
  EXPECT_DOUBLE_EQ(*time.predictedSeconds, 536'870'912 / 4e12);
  EXPECT_NEAR(*time.ratio(), 1.118, 0.001);
  EXPECT_TRUE(isNear(*time.ratio()));
  EXPECT_EQ(time.quoted, "3 ms");
  EXPECT_EQ(time.kernel, "copy offset");
  EXPECT_EQ(time.tunables, "BLOCK 256") << "the tunables that were timed";
}

TEST(LabTimes, LaunchThatMostlyReadsIsPredictedAtTheReadRate) {
  const device::Ceilings limits = ceilings();
  lab::RunResult result = copied();
  result.plan.operands[1].elements = 1;
  EXPECT_DOUBLE_EQ(*timeOf(result, &limits).predictedSeconds, (268'435'456 + 4) / 5e12);
}

TEST(LabTimes, IncludesTheInputsReadRateAndItsCeiling) {
  const device::Ceilings limits = ceilings();
  const LabTime time = timeOf(copied(), &limits);
  ASSERT_TRUE(time.readRate() && time.readCeiling);
  EXPECT_DOUBLE_EQ(*time.readRate(), 268'435'456 / 0.15e-3);
  EXPECT_DOUBLE_EQ(*time.readCeiling, 5e12);
  lab::RunResult untimed = copied();
  untimed.measurement.reset();
  EXPECT_FALSE(timeOf(untimed, &limits).readRate());
}

TEST(LabTimes, InstructionsMayBeTheLimit) {
  const device::Ceilings limits = ceilings();
  lab::RunResult result = copied();
  // 2^26 threads of 10,000 instructions: 2^21 warps * 10,000 / 4 per cycle / 100 SMs / 2 GHz.
  result.counters->total.threadInstructions = uint64_t{10'000} << 26;
  const LabTime time = timeOf(result, &limits);
  EXPECT_EQ(time.limit, "instruction issue");
  // 2^18 blocks on 100 SMs are 2,621.44 per SM, so the busiest SM has 2,622.
  EXPECT_NEAR(*time.predictedSeconds, 20'971'520'000.0 / 4 / 100 / 2e9 * 2622 / 2621.44, 1e-9);
}

TEST(LabTimes, RecordedPointsOwnCeilingsTakePrecedence) {
  const device::Ceilings other = ceilings();
  lab::RunResult result = copied();
  result.machineCeilings = ceilings();
  result.machineCeilings->dramCopyBytesPerSecond = 2e12;
  EXPECT_DOUBLE_EQ(*timeOf(result, &other).predictedSeconds, 536'870'912 / 2e12);
}

TEST(LabTimes, UnknownTimesAreOmitted) {
  lab::RunResult result = copied();
  result.measurement.reset();
  result.nearest.emplace().why = "the recording holds no copy_offset";
  const LabTime time = timeOf(result, nullptr);
  EXPECT_FALSE(time.measuredSeconds || time.predictedSeconds || time.ratio());
  EXPECT_EQ(time.gap, "the recording holds no copy_offset");
}

TEST(LabTimes, NearMeansWithinAQuarter) {
  EXPECT_TRUE(isNear(1.25));
  EXPECT_TRUE(isNear(0.8));
  EXPECT_FALSE(isNear(1.26));
  EXPECT_FALSE(isNear(0.79));
}

}  // namespace tilestep::features::lab_times_test
