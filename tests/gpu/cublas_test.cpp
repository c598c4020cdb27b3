// SPDX-License-Identifier: Apache-2.0
// cuBLAS as the reference: right for any shape, and measured as kernels are.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "base/library_product.h"
#include "compile/library_kernel.h"
#include "device/library.h"
#include "gpu/gpu_job.h"
#include "lab/figures.h"
#include "lab/lab.h"

namespace tilestep::test {
namespace {

class CublasOnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    if (device::cudaCount() == 0) GTEST_SKIP() << "no GPU answers here";
    if (const auto version = device::cublasVersion(); !version)
      GTEST_SKIP() << version.error().message;
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
  tilestep::Result<lab::Result> run(const lab::Experiment& experiment) {
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
      const auto result = run(product(name, m, n, k));
      ASSERT_TRUE(result) << toString(result.error());
      ASSERT_TRUE(result->check);
      EXPECT_TRUE(result->check->ok)
          << name << " " << m << " x " << n << " x " << k << ": " << result->check->scaledError
          << " of " << result->check->bound;
      EXPECT_EQ(result->check->unwritten, 0U);
      EXPECT_FALSE(result->registers);
      EXPECT_EQ(result->compiler.name, "cuBLAS");
    }
  }
}

TEST_F(CublasOnGpu, Fp32IsPedantic) {
  // TF32 is off by 2^-11 and more; FP32 is not.
  const auto fp32 = run(product(kCublasFp32, 256, 256, 256));
  const auto tf32 = run(product(kCublasTf32, 256, 256, 256));
  ASSERT_TRUE(fp32 && tf32);
  EXPECT_LT(fp32->check->scaledError, 1e-6);
  std::printf("scaled errors at 256: FP32 %.3g, TF32 %.3g\n", fp32->check->scaledError,
              tf32->check->scaledError);
}

TEST_F(CublasOnGpu, IsMeasuredAsAKernelIs) {
  for (const std::string_view name : kLibraryProducts) {
    for (const int64_t side : {512, 1024, 2048, 4096}) {
      lab::Experiment experiment = product(name, side, side, side);
      experiment.measure = true;
      const auto result = run(experiment);
      ASSERT_TRUE(result) << toString(result.error());
      EXPECT_TRUE(result->check->ok);
      ASSERT_TRUE(result->measurement);
      EXPECT_GT(result->measurement->repetitions, 1U);
      std::printf("%s %5ld: %8.2f TFLOP/s, %9.4f ms, p10 %.4f, p90 %.4f, %s\n",
                  std::string(name).c_str(), static_cast<long>(side),
                  lab::gflopsOf(*result).value_or(0) / 1000, result->measurement->medianMs,
                  result->measurement->p10Ms, result->measurement->p90Ms,
                  result->measurement->method.c_str());
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

TEST_F(CublasOnGpu, SaysWhatItHasNot) {
  lab::Experiment experiment = product(kCublasFp32, 64, 64, 64);
  experiment.counters = experiment.timeline = true;
  const auto result = run(experiment);
  ASSERT_TRUE(result) << toString(result.error());
  EXPECT_FALSE(result->counters);
  EXPECT_FALSE(result->timeline);
  EXPECT_NE(result->timelineNote.find("read no clocks"), std::string::npos);
  EXPECT_FALSE(lab_.ptx(experiment, false));
  experiment.traceBlock = Dim3{0, 0, 0};
  EXPECT_FALSE(run(experiment));
}

TEST_F(CublasOnGpu, HardwareCountersAreOfTheLibrary) {
  lab::Experiment experiment = product(kCublasFp32, 1024, 1024, 1024);
  experiment.hardware = true;
  const auto result = run(experiment);
  ASSERT_TRUE(result) << toString(result.error());
  ASSERT_TRUE(result->hardware);
  std::printf("hardware: %s\n", result->hardware->refused.c_str());
  for (const device::HardwareFigure& figure : result->hardware->figures)
    std::printf("  %-28s %16.6g  %s\n", figure.name.c_str(), figure.value, figure.metric.c_str());
}

}  // namespace
}  // namespace tilestep::test
