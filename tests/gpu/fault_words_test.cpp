// SPDX-License-Identifier: Apache-2.0
// Messages and recovery when a driver fails. Uses a fake driver, so no GPU is needed.
#include <gtest/gtest.h>

#include "device/cuda/cuda_device.h"
#include "device/cuda/driver/faults.h"
#include "gpu/fake_driver.h"
#include "support/results.h"

namespace tilestep::test::fault_words_test {

using namespace cuda;

class FaultWords : public ::testing::Test {
 protected:
  void open() { gpu = valueOrThrow(CudaDevice::open(fake.driver(), 0)); }
  static device::Job job() {
    device::Job job;
    job.ptx = ".version 9.0\n.target sm_75\n.address_size 64\n";
    job.launches = {{"sum_rows", {4, 1, 1}, {32, 1, 1}, 0}};
    device::Operand out;
    out.name = "P";
    out.direction = Direction::out;
    out.elements = 100;
    job.operands = {out};
    job.timeoutSeconds = 30;
    return job;
  }
  /// The single fault of a job that must end in one.
  device::Fault faultOf(const device::Job& what) {
    const Result<device::Outcome> outcome = gpu->run(what, {});
    EXPECT_TRUE(outcome.ok()) << toString(outcome.error());
    if (!outcome || outcome->faults.size() != 1) return {};
    return outcome->faults[0];
  }

  FakeDriver fake;
  std::unique_ptr<device::Device> gpu;
};

TEST_F(FaultWords, EachNamesTheKernelTheDriversErrorAndTheInterpreter) {
  const std::map<ApiResult, std::string> kinds = {{kIllegalAddress, "out-of-bounds"},
                                                  {kMisalignedAddress, "misaligned"},
                                                  {kLaunchFailed, "launch-failed"},
                                                  {kIllegalInstruction, "launch-failed"},
                                                  {kAssert, "assertion"},
                                                  {kLaunchTimeout, "timeout"},
                                                  {kDeviceUnavailable, "device-lost"},
                                                  {kUnknown, "device-lost"},
                                                  {kEccUncorrectable, "device-lost"}};
  for (const auto& [result, kind] : kinds) {
    fake.onQuery = kSuccess;
    open();
    fake.onQuery = result;
    const device::Fault fault = faultOf(job());
    EXPECT_EQ(fault.kind, kind);
    EXPECT_TRUE(has(fault.message, "sum_rows", "the driver's sentence, CUDA_ERROR_",
                    ", " + std::to_string(result) + ")", "--device simt"));
    EXPECT_TRUE(gpu->lost());
    EXPECT_FALSE(gpu->run(job(), {}).ok());
  }
}

TEST_F(FaultWords, AFaultReportedByALaterCallCounts) {
  open();
  fake.onLaunch = kIllegalAddress;
  EXPECT_EQ(faultOf(job()).kind, "out-of-bounds");
  EXPECT_TRUE(gpu->lost());
  open();
  fake.onLaunch = kSuccess;
  fake.onAllocate = kUnknown;
  EXPECT_EQ(faultOf(job()).kind, "device-lost");
}

// Freeing waits for running work, so after a kernel that never ends it would wait forever.
TEST_F(FaultWords, AnEndlessKernelIsAbandonedAndNothingFreed) {
  open();
  device::Job endless = job();
  endless.timeoutSeconds = 0.02;
  fake.onQuery = kNotReady;
  const device::Fault fault = faultOf(endless);
  EXPECT_EQ(fault.kind, "timeout");
  EXPECT_TRUE(has(fault.message, "sum_rows ran past its time limit", "--device simt"));
  EXPECT_TRUE(gpu->lost());
  gpu.reset();
  EXPECT_EQ(fake.freed, 0);
  EXPECT_EQ(fake.contextsDestroyed, 0);
}

// The limit applies to the whole request; results from before it are kept.
TEST_F(FaultWords, ALimitReachedLaterKeepsEarlierResults) {
  open();
  device::Job measured = job();
  measured.measure = true;
  measured.timeoutSeconds = 0.05;
  fake.queriesThatWork = 1;
  fake.onQuery = kNotReady;
  const device::Outcome outcome = valueOrThrow(gpu->run(measured, {}));
  ASSERT_EQ(outcome.faults.size(), 1U);
  EXPECT_EQ(outcome.faults[0].kind, "time-limit");
  for (const char* part : {"sum_rows itself ended after", "timing it had not ended", "50.0 ms",
                           "are kept", "--timeout"}) {
    EXPECT_TRUE(has(outcome.faults[0].message, part));
  }
  ASSERT_EQ(outcome.outputs.size(), 1U);
  EXPECT_FALSE(outcome.outputs[0].empty());
  EXPECT_EQ(outcome.registers, std::optional<uint32_t>(32));
  EXPECT_TRUE(gpu->lost());
}

TEST_F(FaultWords, ACancelledEndlessKernelIsGivenUpToo) {
  open();
  fake.onQuery = kNotReady;
  const Result<device::Outcome> outcome = gpu->run(job(), [&] { return fake.launches > 0; });
  EXPECT_TRUE(fails(outcome, "cancelled"));
  EXPECT_TRUE(gpu->lost());
  gpu.reset();
  EXPECT_EQ(fake.freed, 0);
}

TEST_F(FaultWords, OutOfMemoryStatesTheAmountAndTheNextJobRuns) {
  open();
  fake.onAllocate = kOutOfMemory;
  fake.freeBytes = (size_t{700} << 20) + 5;
  device::Job large = job();
  large.operands[0].elements = uint64_t{3} << 28;  // 3 GiB, needed twice because it is also read.
  large.operands[0].direction = Direction::inout;
  const Result<device::Outcome> outcome = gpu->run(large, {});
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().kind, ErrorKind::request);
  for (const char* part :
       {"too small for the operands of sum_rows", "6,144 MiB", "700 of 16,384 MiB are free",
        "CUDA_ERROR_OUT_OF_MEMORY", "smaller sizes", "nvidia-smi", "--device simt"}) {
    EXPECT_TRUE(has(outcome.error().message, part));
  }
  EXPECT_FALSE(gpu->lost());
  fake.onAllocate = kSuccess;
  EXPECT_TRUE(gpu->run(job(), {}).ok());
  gpu.reset();
  EXPECT_GT(fake.freed, 0);
  EXPECT_EQ(fake.contextsDestroyed, 1);
}

// An earlier job's memory must not prevent a job that fits without it.
TEST_F(FaultWords, FillsOfEarlierJobsGiveWay) {
  open();
  device::Job first = job();
  first.operands[0].direction = Direction::inout;
  ASSERT_TRUE(gpu->run(first, {}).ok());
  device::Job second = first;
  second.operands[0].elements = 200;
  const int before = fake.freed;
  fake.allocations = 0;
  fake.allocationsThatWork = 1;  // Its fill can be allocated, but the kernel's copy cannot.
  fake.onAllocate = kOutOfMemory;
  EXPECT_FALSE(gpu->run(second, {}).ok());
  EXPECT_EQ(fake.allocations, 3) << "two at first, then once more with everything given back";
  EXPECT_GE(fake.freed - before, 2);
  fake.onAllocate = kSuccess;
  EXPECT_TRUE(gpu->run(second, {}).ok());
}

// A counting table, a module or a launch's stack that does not fit is reported with the free
// memory.
TEST_F(FaultWords, AFullGpuIsReportedForAnyAllocation) {
  open();
  fake.onLoad = kOutOfMemory;
  const Result<device::Outcome> outcome = gpu->run(job(), {});
  ASSERT_FALSE(outcome.ok());
  for (const char* part : {"memory is full", "8,192 of 16,384 MiB are free", "nvidia-smi"}) {
    EXPECT_TRUE(has(outcome.error().message, part));
  }
  EXPECT_FALSE(gpu->lost());
}

TEST_F(FaultWords, TooManyResourcesIsARequestError) {
  open();
  fake.onLaunch = kLaunchOutOfResources;
  const Result<device::Outcome> outcome = gpu->run(job(), {});
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().kind, ErrorKind::request);
  for (const char* part : {"sum_rows", "32 threads", "32 registers", "701", "--device simt"}) {
    EXPECT_TRUE(has(outcome.error().message, part));
  }
  EXPECT_FALSE(gpu->lost());
}

TEST_F(FaultWords, TheDriversOccupancyAndItsLimiter) {
  open();
  const auto limiterAt = [&](int blocks, int withoutShared) {
    fake.occupancy = blocks;
    fake.occupancyWithoutShared = withoutShared;
    device::Job with = job();
    with.launches[0].block = {128, 1, 1};
    with.launches[0].dynamicSharedBytes = 16;
    const Result<device::Outcome> outcome = gpu->run(with, {});
    if (!outcome || !outcome->machine) return std::string("nothing");
    EXPECT_EQ(outcome->machine->activeBlocks, static_cast<uint32_t>(blocks));
    return outcome->machine->limiter;
  };
  EXPECT_EQ(limiterAt(32, 32), "blocks");
  EXPECT_EQ(limiterAt(16, 16), "threads");
  EXPECT_EQ(limiterAt(7, 12), "shared memory");
  EXPECT_EQ(limiterAt(7, 7), "registers");
}

TEST_F(FaultWords, AMeasurementAlwaysOpensItsGate) {
  open();
  device::Job measured = job();
  measured.measure = true;
  const device::Outcome outcome = valueOrThrow(gpu->run(measured, {}));
  ASSERT_TRUE(outcome.measurement.has_value());
  EXPECT_GE(outcome.measurement->repetitions, 5U);
  ASSERT_NE(fake.signal, nullptr);
  EXPECT_EQ(*fake.signal, 1U);
  // The gate also opens if a launch behind it fails.
  const int whole = fake.launches;
  fake.launches = 0;
  fake.launchesThatWork = whole / 2;
  fake.onLaunch = kLaunchOutOfResources;
  EXPECT_FALSE(gpu->run(measured, {}).ok());
  EXPECT_EQ(*fake.signal, 1U);
}

}  // namespace tilestep::test::fault_words_test
