// SPDX-License-Identifier: Apache-2.0
// A kernel computes on given data on a GPU as in the interpreter.
#include <gtest/gtest.h>

#include <cstring>

#include "compile/kernel.h"
#include "gpu/gpu_job.h"
#include "lab/lab.h"
#include "support/source_root.h"

namespace tilestep::gpu_test::given_data_test {

lab::GivenInput floats(size_t count, float first) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = first + static_cast<float>(i % 7);
  auto bytes = std::make_shared<std::vector<std::byte>>(count * sizeof(float));
  std::memcpy(bytes->data(), values.data(), bytes->size());
  return {ElementType::f32, std::move(bytes)};
}

/// A product of 24 x 20 and 20 x 28. The first element of M is `first`.
Result<lab::RunResult> product(lab::Lab& lab, const char* device, float first) {
  lab::Experiment experiment;
  experiment.source = *compile::findKernel(support::sourceRoot() + "/kernels", "matmul_naive");
  experiment.sizes = {{"m", 24}, {"n", 28}, {"k", 20}};
  experiment.device = device;
  experiment.measure = false;
  experiment.check = true;
  experiment.traceBlock = Dim3{0, 0, 0};
  experiment.dataOf = compile::KernelSource();
  experiment.data = {floats(size_t{24} * 20, first), floats(size_t{20} * 28, 1)};
  return lab.run(experiment, {}, {});
}

TEST(GivenData, AGpuComputesOnTheDataThatTheInterpreterComputesOn) {
  TILESTEP_SKIP_WITHOUT_GPU();
  lab::Options options;
  options.home = support::sourceRoot();
  lab::Lab lab(options);
  uint64_t before = 0;
  // The second data have the same type and sizes as the first, and must not be mistaken for them.
  for (const float first : {1.0F, 3.0F}) {
    const Result<lab::RunResult> here = product(lab, "simt", first);
    const Result<lab::RunResult> there = product(lab, "cuda:0", first);
    ASSERT_TRUE(here) << here.error().message;
    ASSERT_TRUE(there) << there.error().message;
    EXPECT_EQ(there->outputHash, here->outputHash);
    EXPECT_NE(there->outputHash, before);
    before = there->outputHash;
    ASSERT_TRUE(there->check);
    EXPECT_TRUE(there->check->ok);
    ASSERT_EQ(there->given.size(), 2U);
    EXPECT_EQ(there->given[0].values, here->given[0].values);
  }
}

}  // namespace tilestep::gpu_test::given_data_test
