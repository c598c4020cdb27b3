// SPDX-License-Identifier: Apache-2.0
// A kernel compared with a program's launch gets that launch's data.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "base/files.h"
#include "lab/lab.h"
#include "support/results.h"
#include "support/source_root.h"
#include "worker/program_launches.h"

namespace tilestep::system_test::same_data_test {

class SameData : public ::testing::Test {
 protected:
  SameData() {
    options_.home = support::sourceRoot();
    lab_ = std::make_unique<lab::Lab>(options_);
    launches_ = std::make_unique<worker::ProgramLaunches>(options_);
  }

  /// The second launch of tests/programs/product.cu: C (24 x 28) is A (24 x 20) times B.
  static compile::KernelSource launch() {
    compile::ProgramSource program;
    program.path = support::sourceRoot() + "/tests/programs/product.cu";
    program.folder = support::sourceRoot() + "/tests/programs";
    compile::KernelSource source;
    source.path = program.path;
    source.text = *readTextFile(program.path);
    source.launch =
        std::make_shared<const compile::ProgramLaunch>(compile::ProgramLaunch{program, 2, 0, 0});
    return source;
  }

  static lab::Experiment traced(compile::KernelSource source) {
    lab::Experiment experiment;
    experiment.source = std::move(source);
    experiment.device = "simt";
    experiment.measure = false;
    experiment.check = true;
    experiment.traceBlock = Dim3{0, 0, 0};
    return experiment;
  }

  Result<lab::RunResult> run(const lab::Experiment& experiment) {
    const Result<lab::Experiment> asked = launches_->withLaunch(experiment, {}, {});
    if (!asked) return asked.error();
    return lab_->run(*asked, {}, {});
  }

  static compile::KernelSource naive() {
    return *compile::findKernel(support::sourceRoot() + "/kernels", "matmul_naive");
  }

  lab::Options options_;
  std::unique_ptr<lab::Lab> lab_;
  std::unique_ptr<worker::ProgramLaunches> launches_;
};

TEST_F(SameData, AShippedKernelGetsTheMatricesOfTheLaunch) {
  const auto own = valueOrThrow(run(traced(launch())));
  lab::Experiment beside = traced(naive());
  beside.sizes = {{"m", 24}, {"n", 28}, {"k", 20}};
  beside.dataOf = launch();
  const auto ours = valueOrThrow(run(beside));
  EXPECT_TRUE(ours.hasGivenData);
  EXPECT_FALSE(ours.isLaunch);
  EXPECT_EQ(ours.compiler.name, "clang");
  ASSERT_EQ(own.given.size(), 2U);
  ASSERT_EQ(ours.given.size(), 2U);
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(ours.given[i].values, own.given[i].values);
  // The reference computes on the same data.
  ASSERT_TRUE(ours.check);
  EXPECT_TRUE(ours.check->ok) << ours.check->scaledError;
}

TEST_F(SameData, OtherSizesAreRefused) {
  lab::Experiment beside = traced(naive());
  beside.sizes = {{"m", 24}, {"n", 28}, {"k", 24}};
  beside.dataOf = launch();
  const Result<lab::RunResult> ours = run(beside);
  ASSERT_FALSE(ours);
  EXPECT_EQ(ours.error().message, "the launch reads no buffer that matches M");
}

}  // namespace tilestep::system_test::same_data_test
