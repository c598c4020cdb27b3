// SPDX-License-Identifier: Apache-2.0
// The overhead of counting: the plain and the counting kernel, timed by the same method.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <optional>

#include "device/cuda/counting/counting.h"
#include "device/cuda/execution.h"
#include "device/cuda/measure/measure.h"
#include "gpu/gpu_job.h"
#include "support/own_process.h"
#include "support/results.h"

namespace tilestep::cuda::price_test {

struct Row {
  const char* kernel;
  compile::Bindings tunables;
  /// Counting must take less than this many times the plain kernel's time.
  std::optional<double> mostTimes = {};
};

constexpr std::array kRungs{"rung01_uncoalesced", "rung02_coalesced",       "rung03_tiled",
                            "rung04_banks",       "rung05_column_a_thread", "rung06_patch_a_thread",
                            "rung07_vectors",     "rung08_no_conflicts",    "rung09_double_buffer",
                            "rung10_async",       "rung11_warp_tiles",      "rung12_block_order",
                            "rung13_top"};

double msSince(std::chrono::steady_clock::time_point begun) {
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begun;
  return passed.count();
}

void price(const ContextPtr& context, const device::DeviceInfo& info, const device::Job& job,
           Classifier& classifier, const Row& row) {
  FillCache fills;
  MeasureTools tools;
  const device::Cancelled never;
  Operands operands = valueOrThrow(Operands::make(context, job, fills));
  Execution execution = valueOrThrow(Execution::start(context, 60, never, row.kernel));
  auto begun = std::chrono::steady_clock::now();
  const Result<Program> plain = Program::load(context, job.ptx, job.launches, info);
  const double plainLoadMs = msSince(begun);
  ASSERT_TRUE(plain.ok()) << toString(plain.error());
  ASSERT_TRUE(operands.prepare(execution.stream(), kFirstPoison).ok());
  const auto plainTime = valueOrThrow(measure(execution, *plain, operands, info, tools, false));
  begun = std::chrono::steady_clock::now();
  const auto counting = CountingProgram::load(execution, operands, job, info, *plain, classifier);
  ASSERT_TRUE(counting.ok()) << toString(counting.error());
  const double loadMs = msSince(begun);
  begun = std::chrono::steady_clock::now();
  const GridCount count = valueOrThrow((*counting)->run());
  const double runMs = msSince(begun);
  const std::vector<double> launches = valueOrThrow((*counting)->launchMs());
  double sum = 0;
  std::string tunables, each;
  for (const double ms : launches) {
    sum += ms;
    each += (each.empty() ? "" : " + ") + std::to_string(ms);
  }
  for (const auto& [name, value] : row.tunables) {
    tunables += " " + name + "=" + std::to_string(value);
  }
  const double times = sum / plainTime.medianMs;
  std::printf(
      "%-21s%-28s plain %8.3f ms, counting %8.3f ms (%s), x %5.2f; rewriting and loading %.0f ms "
      "(plain %.0f), all %.0f ms; %llu classes of %llu warps, logs %.1f MB; mistake 2^%.0f\n",
      row.kernel, tunables.c_str(), plainTime.medianMs, sum, each.c_str(), times, loadMs,
      plainLoadMs, runMs, static_cast<unsigned long long>(count.classes),
      static_cast<unsigned long long>(count.warps), static_cast<double>(count.logBytes) / 1e6,
      count.mistakeLog2);
  if (row.mostTimes) {
    EXPECT_LT(times, *row.mostTimes) << row.kernel << tunables;
  }
}

const support::Alone alone{"Price"};

TEST(Price, OfCountingAt2048) {
  const auto gpu = test::openFirstGpu();
  TILESTEP_NEED_GPU(gpu);
  const auto driver = Driver::open();
  ASSERT_TRUE(driver.ok());
  const auto context = valueOrThrow(Context::open(*driver, 0));
  test::JobMaker maker;
  Classifier classifier;
  constexpr double kMostNaive = 4, kMostTiled = 2;
  std::vector<Row> rows = {
      {"matmul_naive", {{"BLOCK_X", 16}, {"BLOCK_Y", 16}}, kMostNaive},
      {"matmul_naive", {{"BLOCK_X", 32}, {"BLOCK_Y", 8}}, kMostNaive},
      {"matmul_tiled_dynamic", {{"TILE_WIDTH", 16}}},
      {"matmul_tiled_dynamic", {{"TILE_WIDTH", 12}}},
      {"matmul_tiled_dynamic", {{"TILE_WIDTH", 32}}},
      {"matmul_tiled_free", {}},
      {"matmul_tiled_free", {{"TILE_M", 64}, {"TILE_N", 64}}},
      {"matmul_tiled_swapped", {{"TILE_WIDTH", 32}, {"PAD", 0}}},
  };
  for (int64_t width = 2; width <= 32; ++width)
    rows.push_back({"matmul_tiled", {{"TILE_WIDTH", width}}, kMostTiled});
  for (const char* rung : kRungs) rows.push_back({rung, {}, kMostNaive});
  for (const Row& row : rows) {
    const auto job = valueOrThrow(maker.shipped(row.kernel, {{"m", 2048}, {"n", 2048}, {"k", 2048}},
                                                row.tunables, gpu->info().limits));
    price(context, gpu->info(), job, classifier, row);
  }
}

// The work after a slider moves, without the compiler: load, fill, run, measure, count.
TEST(Price, OfAWholeJobAt1024) {
  const auto gpu = test::openFirstGpu();
  TILESTEP_NEED_GPU(gpu);
  for (const int64_t width : {16, 8, 16, 32}) {
    test::JobMaker maker;
    auto begun = std::chrono::steady_clock::now();
    auto job = maker.shipped("matmul_tiled", {{"m", 1024}, {"n", 1024}, {"k", 1024}},
                             {{"TILE_WIDTH", width}}, gpu->info().limits);
    ASSERT_TRUE(job.ok()) << toString(job.error());
    const double compileMs = msSince(begun);
    job->measure = true;
    begun = std::chrono::steady_clock::now();
    ASSERT_TRUE(gpu->run(*job, {}).ok());
    const double measuredMs = msSince(begun);
    job->counters = true;
    begun = std::chrono::steady_clock::now();
    ASSERT_TRUE(gpu->run(*job, {}).ok());
    std::printf(
        "matmul_tiled width %2d at 1024: compiling kernel and probes %.0f ms, job with "
        "measurement %.0f ms, with counters too %.0f ms\n",
        static_cast<int>(width), compileMs, measuredMs, msSince(begun));
  }
}

}  // namespace tilestep::cuda::price_test
