// SPDX-License-Identifier: Apache-2.0
// cuBLAS as the reference: right for any shape, and measured like kernels. `bench_ladder` reports
// its speed.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/library_product.h"
#include "compile/front_matter/library_kernel.h"
#include "device/library.h"
#include "gpu/gpu_job.h"
#include "lab/lab.h"
#include "support/own_process.h"
#include "support/results.h"
#include "support/toolkit.h"

namespace tilestep::test::cublas_test {

const support::Alone alone{"CublasCountersOnGpu"};

class CublasOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    TILESTEP_SKIP_WITHOUT_GPU();
    if (const auto why = support::whyNoToolkitLibrary("libcublas.so")) {
      GTEST_SKIP() << support::because(support::kNoToolkit, *why);
    }
    valueOrThrow(device::cublasVersion());
  }

  static lab::Experiment product(std::string_view name, int64_t m, int64_t n, int64_t k) {
    lab::Experiment experiment;
    experiment.source = *compile::libraryKernel(std::string(name));
    experiment.sizes = {{"m", m}, {"n", n}, {"k", k}};
    experiment.device = "cuda:0";
    experiment.check = true;
    experiment.measure = false;
    return experiment;
  }
  /// Compute capability 8.0 and later multiply TF32 on tensor cores.
  bool hasTf32() {
    for (const device::DeviceInfo& info : lab_.devices())
      if (info.id == "cuda:0") return std::stod(info.computeCapability.value_or("0")) >= 8;
    return false;
  }
  Result<lab::RunResult> run(const lab::Experiment& experiment) {
    return lab_.run(experiment, [] { return false; }, {});
  }

  lab::Lab lab_{{homeFolder(), "", 1}};
};

TEST_F(CublasOnGpu, IsRightForAnyShape) {
  for (const auto& [m, n, k] : {std::array<int64_t, 3>{1, 1, 1},
                                {3, 5, 7},
                                {64, 64, 64},
                                {100, 37, 250},
                                {129, 1, 65},
                                {1, 300, 17},
                                {511, 513, 515}}) {
    for (const std::string_view name : kLibraryProducts) {
      const auto result = valueOrThrow(run(product(name, m, n, k)));
      ASSERT_TRUE(result.check);
      EXPECT_TRUE(result.check->ok) << name << " " << m << " x " << n << " x " << k << ": "
                                    << result.check->scaledError << " of " << result.check->bound;
      EXPECT_EQ(result.check->unwritten, 0U);
      EXPECT_FALSE(result.registers);
      EXPECT_EQ(result.compiler.name, "cuBLAS");
    }
  }
}

/// TF32 rounds factors to 10 bits, an error of 2^-11 or more; FP32 does not, in either mode.
TEST_F(CublasOnGpu, EachModeHasTheErrorOfItsArithmetic) {
  const auto errorOf = [&](std::string_view name) {
    const auto result = run(product(name, 256, 256, 256));
    EXPECT_TRUE(result) << toString(result.error());
    return result && result->check ? result->check->scaledError : -1;
  };
  const double pedantic = errorOf(kCublasFp32), usual = errorOf(kCublasFp32Default),
               tf32 = errorOf(kCublasTf32);
  for (const double fp32 : {pedantic, usual}) {
    EXPECT_GE(fp32, 0);
    EXPECT_LT(fp32, 1e-6);
  }
  if (hasTf32()) {
    EXPECT_GT(tf32, 10 * pedantic);
    EXPECT_GT(tf32, 1e-5);
  } else {
    EXPECT_LT(tf32, 1e-6) << "without such tensor cores it is FP32";
  }
}

TEST_F(CublasOnGpu, IsMeasuredAsAKernelIs) {
  for (const std::string_view name : kLibraryProducts) {
    double before = 0;
    for (const int64_t side : {512, 2048}) {
      SCOPED_TRACE(std::string(name) + " at " + std::to_string(side));
      lab::Experiment experiment = product(name, side, side, side);
      experiment.measure = true;
      const auto result = run(experiment);
      ASSERT_TRUE(result) << toString(result.error());
      EXPECT_TRUE(result->check->ok);
      ASSERT_TRUE(result->measurement);
      const device::Measurement& time = *result->measurement;
      EXPECT_GT(time.repetitions, 1U);
      EXPECT_GT(time.minMs, 0);
      EXPECT_LE(time.minMs, time.p10Ms);
      EXPECT_LE(time.p10Ms, time.medianMs);
      EXPECT_LE(time.medianMs, time.p90Ms);
      EXPECT_FALSE(time.method.empty());
      // The work is 64 times as much; a launch that did nothing would take as long as before.
      EXPECT_GT(time.medianMs, 4 * before);
      before = time.medianMs;
    }
  }
}

TEST_F(CublasOnGpu, TheSameTwiceAndAKernelBetweenThem) {
  const auto first = run(product(kCublasFp32, 300, 200, 100));
  lab::Experiment naive = product(kCublasFp32, 300, 200, 100);
  naive.source = *compile::findKernel(homeFolder() + "/kernels", "matmul_naive");
  naive.measure = true;
  const auto between = run(naive);
  const auto second = run(product(kCublasFp32, 300, 200, 100));
  ASSERT_TRUE(first && between && second);
  EXPECT_TRUE(between->check->ok);
  EXPECT_EQ(first->outputHash, second->outputHash);
}

TEST_F(CublasOnGpu, ReportsMissingParts) {
  lab::Experiment experiment = product(kCublasFp32, 64, 64, 64);
  experiment.counters = experiment.timeline = true;
  const auto result = valueOrThrow(run(experiment));
  EXPECT_FALSE(result.counters);
  EXPECT_FALSE(result.timeline);
  EXPECT_TRUE(has(result.timelineNote, "read no clocks"));
  EXPECT_FALSE(lab_.ptx(experiment, false));
  experiment.traceBlock = Dim3{0, 0, 0};
  EXPECT_FALSE(run(experiment));
}

class CublasCountersOnGpu : public CublasOnGpu {};

/// The units that multiply reveal the mode: FP32 needs m · n · k multiply-adds of threads, and TF32
/// executes them on tensor cores.
TEST_F(CublasCountersOnGpu, AreOfTheLibraryAndItsMode) {
  constexpr double kProducts = 1024.0 * 1024 * 1024, kInputBytes = 2.0 * 1024 * 1024 * 4;
  for (const std::string_view name : kLibraryProducts) {
    SCOPED_TRACE(name);
    lab::Experiment experiment = product(name, 1024, 1024, 1024);
    experiment.hardware = true;
    const auto result = valueOrThrow(run(experiment));
    ASSERT_TRUE(result.hardware);
    if (!result.hardware->refused.empty()) return skipRefused(result.hardware->refused);
    const auto value = [&](const char* figure) {
      const device::HardwareFigure* found = result.hardware->find(figure);
      EXPECT_NE(found, nullptr) << figure;
      return found != nullptr ? found->value : -1;
    };
    if (name != kCublasTf32 || !hasTf32()) {
      // Some chips execute two multiply-adds in one instruction.
      EXPECT_GE(value("ffma"), 0.49 * kProducts);
      EXPECT_LE(value("ffma"), 1.5 * kProducts);
    } else {
      EXPECT_LT(value("ffma"), 0.1 * kProducts);
    }
    EXPECT_GE(value("dram_bytes_read"), 0.99 * kInputBytes) << "the caches were emptied";
    EXPECT_GE(value("l2_read_sectors"), kInputBytes / 32);
    EXPECT_GT(value("achieved_occupancy"), 0);
    EXPECT_LE(value("achieved_occupancy"), 1);
  }
}

}  // namespace tilestep::test::cublas_test
