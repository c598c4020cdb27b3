// SPDX-License-Identifier: Apache-2.0
#include "lab/expected.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "lab/formula.h"
#include "lab/job.h"
#include "lab/reference.h"
#include "support/source_root.h"

namespace tilestep::lab::expected_test {

struct Kernel {
  compile::KernelSpec spec;
  compile::Plan plan;
};

Kernel kernelOf(const std::string& name, const compile::Bindings& sizes,
                const compile::Bindings& tunables = {}) {
  const auto source = compile::findKernel(support::sourceRoot() + "/kernels", name);
  Kernel kernel;
  kernel.spec = compile::parseKernel(*source).value();
  kernel.plan = compile::plan(kernel.spec, sizes, tunables, Limits{}).value();
  return kernel;
}

/// The expected values as the bytes of a run's outputs.
std::vector<std::vector<std::byte>> asOutputs(const Kernel& kernel, const Expected& expected) {
  std::vector<std::vector<std::byte>> outputs(kernel.plan.operands.size());
  std::vector<float> values(expected.values.begin(), expected.values.end());
  outputs[expected.operand].resize(values.size() * sizeof(float));
  std::memcpy(outputs[expected.operand].data(), values.data(), outputs[expected.operand].size());
  return outputs;
}

/// The result of a run's check if the outputs have exactly these values.
Check checkOf(const Kernel& kernel, const Expected& expected) {
  return checkOutputs({kernel.spec.reference, kernel.plan.elementsPerBlock},
                      operandsOf(kernel.plan), asOutputs(kernel, expected), 7, 0,
                      [] { return false; })
      .value();
}

TEST(Expected, WrongElementsAreCountedAndTheFirstIsKept) {
  const Kernel kernel = kernelOf("matrix_sum", {{"m", 2}, {"n", 3}});
  const std::vector<Expected> all = expectedOutputs(kernel.spec, kernel.plan, 7).value();
  std::vector<std::vector<std::byte>> outputs = asOutputs(kernel, all[0]);
  std::vector<std::byte>& bytes = outputs[all[0].operand];
  Check check;
  countWrong(kernel.plan, all, outputs, check);
  EXPECT_EQ(check.wrong, 0U);
  EXPECT_EQ(check.compared, 6U);
  EXPECT_FALSE(check.firstWrong);
  const float four = 4;
  std::memcpy(bytes.data() + 2 * sizeof four, &four, sizeof four);
  std::fill_n(bytes.begin() + 4 * sizeof four, sizeof four, device::kPoison);
  check = {};
  countWrong(kernel.plan, all, outputs, check);
  EXPECT_EQ(check.wrong, 2U);
  ASSERT_TRUE(check.firstWrong);
  EXPECT_EQ(check.firstWrong->element, 2U);
  EXPECT_EQ(check.firstWrong->got, 4);
  EXPECT_EQ(check.firstWrong->expected, all[0].values[2]);
  EXPECT_TRUE(check.firstWrong->written);
  std::fill_n(bytes.begin() + 2 * sizeof four, sizeof four, device::kPoison);
  check = {};
  check.unwritten = 2;
  countWrong(kernel.plan, all, outputs, check);
  EXPECT_FALSE(check.firstWrong->written);
}

TEST(Expected, ExpectedValuesPassTheCheck) {
  const Kernel kernels[] = {kernelOf("matmul_naive", {{"m", 5}, {"n", 3}, {"k", 4}}),
                            kernelOf("matrix_sum", {{"m", 5}, {"n", 3}}),
                            kernelOf("transpose", {{"m", 5}, {"n", 3}}),
                            kernelOf("reduce_interleaved", {{"n", 200}}, {{"BLOCK", 64}}),
                            kernelOf("scan_block", {{"n", 20}}, {{"SECTION", 8}}),
                            kernelOf("convolution_tiled", {{"m", 5}, {"n", 3}}, {{"RADIUS", 2}})};
  for (const Kernel& kernel : kernels) {
    const auto all = expectedOutputs(kernel.spec, kernel.plan, 7);
    ASSERT_TRUE(all) << kernel.spec.name;
    ASSERT_EQ(all->size(), 1U) << kernel.spec.name;
    Expected expected = all->front();
    EXPECT_TRUE(checkOf(kernel, expected).ok) << kernel.spec.name;
    const double right = expected.values[1];
    EXPECT_TRUE(expected.isRight(1, right));
    EXPECT_FALSE(expected.isRight(1, right + 0.01)) << kernel.spec.name;
    EXPECT_FALSE(expected.isRight(expected.values.size(), right));
    expected.values[1] += 0.01;
    EXPECT_FALSE(checkOf(kernel, expected).ok) << kernel.spec.name;
  }
}

TEST(Expected, HasTheChecksTolerancesAndIsEmptyIfUnknownOrLarge) {
  const Kernel kernel = kernelOf("matmul_naive", {{"m", 1}, {"n", 1}, {"k", 64}});
  Expected expected = expectedOutputs(kernel.spec, kernel.plan, 7)->front();
  const double right = expected.values[0], tolerance = expected.tolerance[0];
  EXPECT_GT(tolerance, 0);
  for (const double factor : {0.5, 2.0}) {
    expected.values[0] = right + factor * tolerance;
    EXPECT_EQ(checkOf(kernel, expected).ok, factor < 1);
  }
  const Kernel large = kernelOf("matmul_naive", {{"m", 512}, {"n", 512}, {"k", 512}});
  EXPECT_TRUE(expectedOutputs(large.spec, large.plan, 1)->empty());
  Kernel silent = kernelOf("matmul_naive", {{"m", 5}, {"n", 3}, {"k", 4}});
  silent.spec.reference.clear();
  EXPECT_TRUE(expectedOutputs(silent.spec, silent.plan, 1)->empty());
}

TEST(Expected, KnowsTheInputsOfAnElement) {
  const Kernel product = kernelOf("matmul_naive", {{"m", 5}, {"n", 3}, {"k", 4}});
  // P[2][1] is element 7; M has 4 columns and N 3.
  EXPECT_EQ(dependsOn("matmul", product.plan, 7, 0, 2 * 4 + 3), true);
  EXPECT_EQ(dependsOn("matmul", product.plan, 7, 0, 1 * 4 + 3), false);
  EXPECT_EQ(dependsOn("matmul", product.plan, 7, 1, 3 * 3 + 1), true);
  EXPECT_EQ(dependsOn("matmul", product.plan, 7, 1, 3 * 3 + 2), false);
  EXPECT_EQ(dependsOn("matmul", product.plan, 7, 2, 7), std::nullopt) << "P is no input";
  const Kernel turned = kernelOf("transpose", {{"m", 5}, {"n", 3}});
  // Element [2][1] of the transposed matrix, which is 3 x 5, is element [1][2] of the original.
  EXPECT_EQ(dependsOn("transpose", turned.plan, 2 * 5 + 1, 0, 1 * 3 + 2), true);
  EXPECT_EQ(dependsOn("transpose", turned.plan, 2 * 5 + 1, 0, 2 * 3 + 1), false);
  const Kernel sums = kernelOf("reduce_interleaved", {{"n", 200}}, {{"BLOCK", 64}});
  EXPECT_EQ(dependsOn("block_sums", sums.plan, 1, 0, 64), true);
  EXPECT_EQ(dependsOn("block_sums", sums.plan, 1, 0, 63), false);
  const Kernel scan = kernelOf("scan_block", {{"n", 20}}, {{"SECTION", 8}});
  EXPECT_EQ(dependsOn("block_scan", scan.plan, 10, 0, 8), true);
  EXPECT_EQ(dependsOn("block_scan", scan.plan, 10, 0, 10), true);
  EXPECT_EQ(dependsOn("block_scan", scan.plan, 10, 0, 11), false);
  EXPECT_EQ(dependsOn("block_scan", scan.plan, 10, 0, 7), false);
  const Kernel around = kernelOf("convolution_naive", {{"m", 5}, {"n", 3}}, {{"RADIUS", 1}});
  // M has 3 columns. Around M[2][1] are M[1..3][0..2].
  EXPECT_EQ(dependsOn("convolution", around.plan, 2 * 3 + 1, 0, 1 * 3 + 0), true);
  EXPECT_EQ(dependsOn("convolution", around.plan, 2 * 3 + 1, 0, 0 * 3 + 1), false);
  EXPECT_EQ(dependsOn("convolution", around.plan, 2 * 3 + 0, 0, 2 * 3 + 2), false);
  EXPECT_EQ(dependsOn("", sums.plan, 1, 0, 64), std::nullopt);
}

}  // namespace tilestep::lab::expected_test
