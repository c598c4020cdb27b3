// SPDX-License-Identifier: Apache-2.0
// One launch timed by four methods, with a driver that runs nothing and on a GPU.
#include "device/cuda/measure/launch_timings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "device/cuda/cuda_device.h"
#include "gpu/fake_driver.h"
#include "gpu/gpu_job.h"
#include "support/results.h"

namespace tilestep::cuda::launch_timings_test {

using device::NamedValue;

TEST(LaunchTimings, AValueSummarisesItsSamplesAndKeepsTheFirstSeparate) {
  const NamedValue value = namedValueOf("events", "Two events.", {5, 1, 4, 2, 3}, 40);
  EXPECT_EQ(value.id, "events");
  EXPECT_EQ(value.unit, "s");
  EXPECT_EQ(value.method, "Two events.");
  EXPECT_EQ(value.count, 5U);
  EXPECT_DOUBLE_EQ(value.min, 1e-3);
  EXPECT_DOUBLE_EQ(value.p10, 1.4e-3);
  EXPECT_DOUBLE_EQ(value.median, 3e-3);
  EXPECT_DOUBLE_EQ(value.p90, 4.6e-3);
  EXPECT_DOUBLE_EQ(value.first, 40e-3);
  EXPECT_EQ(namedValueOf("events", "", {7}, 1).p90, 7e-3) << "one sample is one, too";
}

TEST(LaunchTimings, AMeasurementIsAValueToo) {
  device::Measurement measured{false, 2, 1, 1.5, 3, 20};
  measured.method = "median of 20 single runs, warm L2 cache";
  const NamedValue value = namedValueOf("repeated", measured, 9);
  EXPECT_EQ(value.count, 20U);
  EXPECT_DOUBLE_EQ(value.min, 1e-3);
  EXPECT_DOUBLE_EQ(value.p10, 1.5e-3);
  EXPECT_DOUBLE_EQ(value.median, 2e-3);
  EXPECT_DOUBLE_EQ(value.p90, 3e-3);
  EXPECT_DOUBLE_EQ(value.first, 9e-3);
  EXPECT_TRUE(has(value.method, "median of 20 single runs, warm L2 cache."));
}

void expectFourWays(const std::vector<NamedValue>& values) {
  std::vector<std::string> ids;
  for (const NamedValue& value : values) ids.push_back(value.id);
  EXPECT_EQ(ids, (std::vector<std::string>{kClockUnsynchronized, kClockSynchronized, kEvents,
                                           kRepeated}));
  for (const NamedValue& value : values) {
    EXPECT_EQ(value.unit, "s");
    EXPECT_GT(value.first, 0) << value.id;
    EXPECT_FALSE(value.method.empty());
  }
}

// ---- Over a driver that runs nothing and whose events are 1 ms apart ----

class LaunchTimingsOverFake : public ::testing::Test {
 protected:
  void SetUp() override {
    gpu = valueOrThrow(CudaDevice::open(fake.driver(), 0));
    job.ptx = kText;
    job.launches = {{"sum_rows", {4, 1, 1}, {32, 1, 1}, 0}};
    device::Operand out;
    out.name = "P";
    out.direction = Direction::out;
    out.elements = 100;
    job.operands = {out};
    job.timings = true;
  }
  /// How often the kernel itself was loaded, not counting the measuring kernels.
  [[nodiscard]] long timesLoaded() const {
    return std::count(fake.loaded.begin(), fake.loaded.end(), std::string(kText));
  }

  static constexpr const char* kText = ".version 9.0\n.target sm_75\n.address_size 64\n";
  test::FakeDriver fake;
  std::unique_ptr<device::Device> gpu;
  device::Job job;
};

TEST_F(LaunchTimingsOverFake, EachMethodReloadsTheKernelAndTakesItsSamples) {
  const device::Outcome outcome = valueOrThrow(gpu->run(job, {}));
  EXPECT_TRUE(outcome.faults.empty());
  expectFourWays(outcome.timings);
  EXPECT_EQ(timesLoaded(), 1 + 4) << "once for the job itself";
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(outcome.timings[i].count, 30U);
  EXPECT_DOUBLE_EQ(outcome.timings[2].median, 1e-3);
  EXPECT_DOUBLE_EQ(outcome.timings[3].median, 1e-3);
  EXPECT_FALSE(outcome.measurement) << "it was not asked for";
  EXPECT_GE(fake.launches, 1 + 3 * (1 + 3 + 30));
}

TEST_F(LaunchTimingsOverFake, AnExistingMeasurementIsUsed) {
  job.measure = true;
  const device::Outcome outcome = valueOrThrow(gpu->run(job, {}));
  ASSERT_TRUE(outcome.measurement);
  expectFourWays(outcome.timings);
  const NamedValue& repeated = outcome.timings[3];
  EXPECT_EQ(repeated.count, outcome.measurement->repetitions);
  EXPECT_TRUE(has(repeated.method, outcome.measurement->method));
}

TEST_F(LaunchTimingsOverFake, NothingIsTimedUnlessRequested) {
  job.timings = false;
  const device::Outcome outcome = valueOrThrow(gpu->run(job, {}));
  EXPECT_TRUE(outcome.timings.empty());
  EXPECT_EQ(timesLoaded(), 1);
}

TEST_F(LaunchTimingsOverFake, CancellingAndFaultsEndIt) {
  int asked = 0;
  EXPECT_FALSE(gpu->run(job, [&] { return ++asked > 5; }).ok());
  fake.launchesThatWork = fake.launches + 20;
  fake.onLaunch = kIllegalAddress;
  const device::Outcome outcome = valueOrThrow(gpu->run(job, {}));
  ASSERT_EQ(outcome.faults.size(), 1U);
  EXPECT_EQ(outcome.faults[0].kind, "out-of-bounds");
}

/// A kernel hangs after it has ended often. The time limit applies even while the CPU spins.
TEST_F(LaunchTimingsOverFake, TheTimeLimitHolds) {
  job.timeoutSeconds = 0.2;
  fake.queriesThatWork = fake.queries + 240;
  fake.onQuery = kNotReady;
  const device::Outcome outcome = valueOrThrow(gpu->run(job, {}));
  ASSERT_EQ(outcome.faults.size(), 1U);
  EXPECT_EQ(outcome.faults[0].kind, "time-limit");
  EXPECT_TRUE(has(outcome.faults[0].message, "timing its launch"));
}

// ---- On a GPU ----

void print(const std::string& what, const std::vector<NamedValue>& values) {
  for (const NamedValue& v : values)
    std::printf("%s %-20s median %9.2f us, p10 %9.2f, p90 %9.2f, min %9.2f, first %9.2f, %llu\n",
                what.c_str(), v.id.c_str(), 1e6 * v.median, 1e6 * v.p10, 1e6 * v.p90, 1e6 * v.min,
                1e6 * v.first, static_cast<unsigned long long>(v.count));
}

class LaunchTimingsOnGpu : public ::testing::Test {
 protected:
  /// The timings of a shipped kernel, at about the lab's sizes.
  std::vector<NamedValue> valuesOf(const std::string& kernel, const compile::Bindings& sizes,
                                   const compile::Bindings& tunables) {
    Result<device::Job> job = maker_.shipped(kernel, sizes, tunables, gpu_->info().limits);
    EXPECT_TRUE(job.ok()) << toString(job.error());
    if (!job) return {};
    job->timings = job->check = true;
    const Result<device::Outcome> outcome = gpu_->run(*job, {});
    EXPECT_TRUE(outcome.ok()) << toString(outcome.error());
    if (!outcome) return {};
    EXPECT_TRUE(outcome->faults.empty()) << outcome->faults[0].message;
    EXPECT_EQ(outcome->timingsNote, "");
    print(kernel, outcome->timings);
    return outcome->timings;
  }

  std::unique_ptr<device::Device> gpu_ = test::openFirstGpu();
  test::JobMaker maker_;
};

TEST_F(LaunchTimingsOnGpu, WithoutSynchronisationTheClockDoesNotSeeTheKernel) {
  TILESTEP_NEED_GPU(gpu_);
  const std::vector<NamedValue> values =
      valuesOf("matmul_tiled", {{"m", 3072}, {"n", 3072}, {"k", 3072}}, {{"TILE_WIDTH", 16}});
  expectFourWays(values);
  ASSERT_EQ(values.size(), 4U);
  const double repeated = values[3].median;
  EXPECT_LT(values[0].median, values[1].median);
  EXPECT_LT(values[0].median, repeated);
  EXPECT_GT(values[1].median, 0.5 * repeated) << "the clock saw the whole kernel";
  EXPECT_GT(values[2].median, 0.5 * repeated);
}

TEST_F(LaunchTimingsOnGpu, AShortKernelHasAllFourTimings) {
  TILESTEP_NEED_GPU(gpu_);
  const std::vector<NamedValue> values = valuesOf("strided_copy", {{"n", 1024}}, {});
  expectFourWays(values);
  ASSERT_EQ(values.size(), 4U);
  EXPECT_GT(values[1].median, values[3].median) << "launching and waiting take their time, too";
}

// Operands that a kernel reads and writes are restored before each sample, so the counting run
// afterwards gives the plain run's result.
TEST_F(LaunchTimingsOnGpu, OtherPartsOfTheJobAreNotDisturbed) {
  TILESTEP_NEED_GPU(gpu_);
  const std::string text =
      "/*---\nentry = \"test\"\nsizes = { n = 1000 }\n[launch]\nblock = [\"32\"]\n"
      "grid = [\"ceildiv(n, 32)\"]\n[[operand]]\nname = \"P\"\nextent = \"n\"\n"
      "direction = \"inout\"\n[[operand]]\nname = \"n\"\nkind = \"scalar\"\n---*/\n"
      "__global__ void test(float* P, int n) { int i = blockIdx.x * 32 + threadIdx.x;"
      " if (i < n) P[i] += 1; }";
  device::Job job = valueOrThrow(maker_.fromText(text, {{"n", 1000}}));
  const device::Outcome once = valueOrThrow(gpu_->run(job, {}));
  job.timings = job.counters = job.check = job.measure = true;
  const device::Outcome timed = valueOrThrow(gpu_->run(job, {}));
  EXPECT_TRUE(timed.faults.empty()) << timed.faults[0].message;
  EXPECT_TRUE(once.outputs == timed.outputs);
  expectFourWays(timed.timings);
}

}  // namespace tilestep::cuda::launch_timings_test
