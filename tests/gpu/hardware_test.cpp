// SPDX-License-Identifier: Apache-2.0
// The hardware's counters compared with the device's counts of the PTX, N = 1024.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "device/cuda/driver/driver.h"
#include "gpu/gpu_job.h"
#include "support/own_process.h"
#include "support/results.h"

namespace tilestep::test::hardware_test {

using compile::Bindings;
using device::HardwareCounters;
using device::Job;
using device::Outcome;

const support::Alone alone{"HardwareOnGpu"};

class HardwareOnGpu : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    gpu_ = openFirstGpu().release();
    maker_ = new JobMaker();
  }
  static void TearDownTestSuite() {
    delete gpu_;
    delete maker_;
  }

  static Job product(const std::string& kernel, const Bindings& tunables, int64_t n = 1024) {
    Result<Job> job =
        maker_->shipped(kernel, {{"m", n}, {"n", n}, {"k", n}}, tunables, gpu_->info().limits);
    EXPECT_TRUE(job.ok()) << toString(job.error());
    return job ? *job : Job{};
  }

  static void print(const std::string& name, const HardwareCounters& counters, double seconds) {
    std::printf("%s: %u passes, %.2f s, %s\n", name.c_str(), counters.passes, seconds,
                counters.library.c_str());
    for (const device::HardwareFigure& figure : counters.figures) {
      std::printf("  %-28s %16.6g  %s\n", figure.name.c_str(), figure.value, figure.metric.c_str());
    }
  }

  static bool refused(const Result<Outcome>& outcome) {
    return outcome.ok() && outcome->hardware && !outcome->hardware->refused.empty();
  }

  static double value(const HardwareCounters& counters, const char* name) {
    const device::HardwareFigure* figure = counters.find(name);
    EXPECT_NE(figure, nullptr) << name;
    return figure == nullptr ? -1 : figure->value;
  }

  static void expectAgrees(const std::string& kernel, const Bindings& tunables) {
    std::string name = kernel;
    for (const auto& [key, number] : tunables) name += " " + key + " " + std::to_string(number);
    SCOPED_TRACE(name);
    Job job = product(kernel, tunables);
    job.counters = job.hardware = true;
    const auto begun = std::chrono::steady_clock::now();
    const Result<Outcome> outcome = gpu_->run(job, {});
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun;
    ASSERT_TRUE(outcome.ok()) << toString(outcome.error());
    ASSERT_TRUE(outcome->hardware.has_value());
    if (refused(outcome)) return skipRefused(outcome->hardware->refused);
    const HardwareCounters& hardware = *outcome->hardware;
    print(name, hardware, passed.count());
    const trace::Counters& counted = outcome->counters->total;
    const auto expectEqual = [&](const char* figure, uint64_t count) {
      EXPECT_EQ(value(hardware, figure), static_cast<double>(count)) << figure;
    };
    expectEqual("global_load_requests", counted.globalLoad.requests);
    expectEqual("global_load_sectors", counted.globalLoad.sectors);
    expectEqual("global_store_requests", counted.globalStore.requests);
    expectEqual("global_store_sectors", counted.globalStore.sectors);
    expectEqual("ffma", counted.ffma);
    // With cold caches, both inputs are read once from DRAM if L2 holds them.
    const double inputs = 2.0 * 1024 * 1024 * 4;
    EXPECT_GE(value(hardware, "dram_bytes_read"), 0.99 * inputs);
    EXPECT_LE(value(hardware, "dram_bytes_read"), 1.2 * inputs);
    EXPECT_GT(value(hardware, "achieved_occupancy"), 0.4);
    EXPECT_LE(value(hardware, "achieved_occupancy"), 1.0);
    EXPECT_GT(value(hardware, "instructions_executed"), 0);
  }

  static inline device::Device* gpu_ = nullptr;
  static inline JobMaker* maker_ = nullptr;
};

TEST_F(HardwareOnGpu, NaiveEqualsTheDevicesOwnCounts) {
  TILESTEP_NEED_GPU(gpu_);
  expectAgrees("matmul_naive", {});
}

TEST_F(HardwareOnGpu, NaiveOfWideBlocksEqualsTheDevicesOwnCounts) {
  TILESTEP_NEED_GPU(gpu_);
  expectAgrees("matmul_naive", {{"BLOCK_X", 32}, {"BLOCK_Y", 8}});
}

TEST_F(HardwareOnGpu, TiledEqualsTheDevicesOwnCounts) {
  TILESTEP_NEED_GPU(gpu_);
  for (const int64_t width : {4, 8, 16, 32}) {
    expectAgrees("matmul_tiled", {{"TILE_WIDTH", width}});
    if (IsSkipped()) return;
  }
}

TEST_F(HardwareOnGpu, InoutOperandsAreRestoredBeforeEachPass) {
  TILESTEP_NEED_GPU(gpu_);
  // Adds to P until its first element exceeds 1000. A pass on another pass's results would load
  // less.
  const std::string text =
      "/*---\nentry = \"test\"\nsizes = { n = 4096 }\n[launch]\nblock = [\"32\"]\n"
      "grid = [\"ceildiv(n, 32)\"]\n[[operand]]\nname = \"P\"\nextent = \"n\"\n"
      "direction = \"inout\"\n[[operand]]\nname = \"n\"\nkind = \"scalar\"\n---*/\n"
      "__global__ void test(volatile float* P, int n) { int i = blockIdx.x * 32 + threadIdx.x;"
      " while (i < n && P[i] < 10) P[i] = P[i] + 1; }";
  Job job = valueOrThrow(maker_->fromText(text, {{"n", 4096}}));
  job.counters = job.hardware = job.check = true;
  const Result<Outcome> outcome = gpu_->run(job, {});
  ASSERT_TRUE(outcome.ok()) << toString(outcome.error());
  if (refused(outcome)) return skipRefused(outcome->hardware->refused);
  EXPECT_EQ(value(*outcome->hardware, "global_load_requests"),
            static_cast<double>(outcome->counters->total.globalLoad.requests));
}

TEST_F(HardwareOnGpu, DoesNotSlowThePlainRun) {
  TILESTEP_NEED_GPU(gpu_);
  Job job = product("matmul_tiled", {{"TILE_WIDTH", 16}});
  job.measure = true;
  static_cast<void>(gpu_->run(job, {}));  // Raises the GPU's clock.
  const Result<Outcome> before = gpu_->run(job, {});
  ASSERT_TRUE(before.ok()) << toString(before.error());
  Job profiled = job;
  profiled.measure = false;
  profiled.hardware = profiled.check = true;
  const Outcome hardware = valueOrThrow(gpu_->run(profiled, {}));
  EXPECT_TRUE(hardware.outputs == before->outputs);
  static_cast<void>(gpu_->run(job, {}));
  const Outcome after = valueOrThrow(gpu_->run(job, {}));
  EXPECT_TRUE(after.outputs == before->outputs);
  ASSERT_TRUE(before->measurement && after.measurement);
  // An attached profiler or a locked clock would take longer than this.
  const double ratio = after.measurement->medianMs / before->measurement->medianMs;
  EXPECT_GT(ratio, 0.95) << before->measurement->medianMs << " ms before";
  EXPECT_LT(ratio, 1.05) << before->measurement->medianMs << " ms before";
}

TEST_F(HardwareOnGpu, CanBeReadAgainAndAgain) {
  TILESTEP_NEED_GPU(gpu_);
  Job job = product("matmul_tiled", {{"TILE_WIDTH", 8}}, 256);
  job.hardware = true;
  std::vector<double> requests;
  for (int i = 0; i < 3; ++i) {
    const Result<Outcome> outcome = gpu_->run(job, {});
    ASSERT_TRUE(outcome.ok()) << toString(outcome.error());
    if (refused(outcome)) return skipRefused(outcome->hardware->refused);
    requests.push_back(value(*outcome->hardware, "global_load_requests"));
  }
  EXPECT_EQ(requests[0], requests[1]);
  EXPECT_EQ(requests[0], requests[2]);
}

}  // namespace tilestep::test::hardware_test
