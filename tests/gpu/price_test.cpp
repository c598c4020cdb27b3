// SPDX-License-Identifier: Apache-2.0
// What counting costs: the plain and the counting kernel, timed the same way.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <optional>

#include "device/cuda/counting.h"
#include "device/cuda/execution.h"
#include "device/cuda/measure/measure.h"
#include "gpu/gpu_job.h"

namespace tilestep::cuda {
namespace price_test {

struct Row {
  const char* kernel;
  compile::Bindings tunables;
  std::optional<double> mostTimes = {};  ///< Counting takes fewer times the plain kernel's time.
};

double msSince(std::chrono::steady_clock::time_point begun) {
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begun;
  return passed.count();
}

void price(const ContextPtr& context, const device::DeviceInfo& info, const device::Job& job,
           const Row& row) {
  FillCache fills;
  MeasureTools tools;
  const device::Cancelled never;
  Result<Operands> operands = Operands::make(context, job, fills);
  ASSERT_TRUE(operands.ok()) << toString(operands.error());
  Result<Execution> execution = Execution::start(context, 60, never, row.kernel);
  ASSERT_TRUE(execution.ok()) << toString(execution.error());
  const Result<Program> plain = Program::load(context, job.ptx, job.launches, info);
  ASSERT_TRUE(plain.ok()) << toString(plain.error());
  auto begun = std::chrono::steady_clock::now();
  Result<CountingProgram> counting = CountingProgram::load(context, job, info, plain->registers());
  ASSERT_TRUE(counting.ok()) << toString(counting.error());
  double loadMs = msSince(begun);
  ASSERT_TRUE(operands->prepare(execution->stream(), kFirstPoison).ok());
  const auto plainTime = measure(*execution, *plain, *operands, info, tools, false);
  ASSERT_TRUE(plainTime.ok()) << toString(plainTime.error());
  const auto counts = counting->run(*execution, *operands);
  ASSERT_TRUE(counts.ok()) << toString(counts.error());
  const bool isFit = counts->has_value();
  if (!isFit) {
    begun = std::chrono::steady_clock::now();
    counting = CountingProgram::load(context, job, info, plain->registers(), false);
    ASSERT_TRUE(counting.ok()) << toString(counting.error());
    loadMs += msSince(begun);
    ASSERT_TRUE(counting->run(*execution, *operands).ok());
  }
  const auto countingTime = measure(*execution, counting->program(), *operands, info, tools, false);
  ASSERT_TRUE(countingTime.ok()) << toString(countingTime.error());
  std::string tunables;
  for (const auto& [name, value] : row.tunables) {
    tunables += " " + name + "=" + std::to_string(value);
  }
  std::printf(
      "%-21s%-28s plain %9.3f ms, counting %9.3f ms, x %5.2f; registers %u and %u, "
      "local %u bytes, rewriting and loading %.0f ms%s\n",
      row.kernel, tunables.c_str(), plainTime->medianMs, countingTime->medianMs,
      countingTime->medianMs / plainTime->medianMs, plain->registers(),
      counting->program().registers(), counting->program().localBytes(), loadMs,
      isFit ? "" : " (twice: laps were unfit)");
  if (row.mostTimes) {
    EXPECT_LT(countingTime->medianMs, *row.mostTimes * plainTime->medianMs)
        << row.kernel << tunables;
  }
}

TEST(Price, OfCountingAt2048) {
  const auto gpu = test::openFirstGpu();
  TILESTEP_NEED_GPU(gpu);
  const auto driver = Driver::open();
  ASSERT_TRUE(driver.ok());
  const auto context = Context::open(*driver, 0);
  ASSERT_TRUE(context.ok()) << toString(context.error());
  test::JobMaker maker;
  constexpr double kMostNaive = 12, kMostTiled = 2.5;
  const std::vector<Row> rows = {
      {"matmul_naive", {{"BLOCK_X", 16}, {"BLOCK_Y", 16}}, kMostNaive},
      {"matmul_naive", {{"BLOCK_X", 32}, {"BLOCK_Y", 8}}, kMostNaive},
      {"matmul_tiled", {{"TILE_WIDTH", 4}}, kMostTiled},
      {"matmul_tiled", {{"TILE_WIDTH", 8}}, kMostTiled},
      {"matmul_tiled", {{"TILE_WIDTH", 16}}, kMostTiled},
      {"matmul_tiled", {{"TILE_WIDTH", 32}}, kMostTiled},
      {"matmul_tiled", {{"TILE_WIDTH", 12}}},
      {"matmul_tiled", {{"TILE_WIDTH", 5}}},
      {"matmul_tiled_dynamic", {{"TILE_WIDTH", 16}}},
      {"matmul_tiled_dynamic", {{"TILE_WIDTH", 12}}},
      {"matmul_tiled_dynamic", {{"TILE_WIDTH", 32}}},
      {"matmul_tiled_free", {}},
      {"matmul_tiled_free", {{"TILE_M", 64}, {"TILE_N", 64}}},
      {"matmul_tiled_swapped", {{"TILE_WIDTH", 32}, {"PAD", 0}}},
  };
  for (const Row& row : rows) {
    const auto job = maker.shipped(row.kernel, {{"m", 2048}, {"n", 2048}, {"k", 2048}},
                                   row.tunables, gpu->info().limits);
    ASSERT_TRUE(job.ok()) << toString(job.error());
    price(*context, gpu->info(), *job, row);
  }
}

// A slider's move without the compiler: load, fill, run, measure, count.
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

}  // namespace price_test
}  // namespace tilestep::cuda
