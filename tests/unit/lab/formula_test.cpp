// SPDX-License-Identifier: Apache-2.0
#include "lab/formula.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "device/device.h"
#include "lab/job.h"

namespace tilestep::lab::formula_test {

compile::Plan planOf(const std::string& expect, uint64_t elements) {
  compile::Plan plan;
  compile::ResolvedOperand out;
  out.spec.name = "out";
  out.spec.direction = Direction::out;
  out.spec.expect = expect;
  out.elements = elements;
  plan.operands.push_back(out);
  plan.bindings["ROUNDS"] = 7;
  return plan;
}

Check checked(const std::string& expect, const std::vector<float>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  Check check;
  check.ok = true;
  const Status done = checkFormulas(planOf(expect, values.size()), {bytes}, 1, check);
  EXPECT_TRUE(done.ok()) << (done ? "" : toString(done.error()));
  return check;
}

TEST(Formula, EachElementIsComparedExactly) {
  EXPECT_TRUE(checked("i % 2 == 0 ? ROUNDS : 2 * ROUNDS", {7, 14, 7, 14}).ok);
  EXPECT_EQ(checked("i", {0, 1}).reference, "formula");
  EXPECT_FALSE(checked("i % 2 == 0 ? ROUNDS : 2 * ROUNDS", {7, 14, 7, 7}).ok);
  EXPECT_FALSE(checked("1", {std::nextafter(1.0F, 2.0F)}).ok);
  EXPECT_FALSE(checked("i", {0, NAN}).ok);
  EXPECT_TRUE(checked("1 / 3", {1.0F / 3.0F}).ok);
  const Check check = checked("", {1, 2});
  EXPECT_TRUE(check.ok);
  EXPECT_EQ(check.reference, "");
  Check none;
  EXPECT_FALSE(checkFormulas(planOf("1 / i", 1), {std::vector<std::byte>(4)}, 1, none).ok());
  EXPECT_FALSE(checkFormulas(planOf("i", 2), {std::vector<std::byte>(4)}, 1, none).ok());
  std::vector<float> values(kMostFormulas + 1);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  EXPECT_EQ(checked("i", values).reference, "formula (1 element in 3)");
}

TEST(Formula, IntegersWrapAroundAsInKernels) {
  compile::Plan plan = planOf("3000000000 + i", 2);
  plan.operands[0].spec.type = ElementType::i32;
  const int32_t values[] = {static_cast<int32_t>(3000000000U), static_cast<int32_t>(3000000001U)};
  std::vector<std::byte> bytes(sizeof values);
  std::memcpy(bytes.data(), values, bytes.size());
  Check check;
  check.ok = true;
  ASSERT_TRUE(checkFormulas(plan, {bytes}, 1, check).ok());
  EXPECT_TRUE(check.ok);
  plan.operands[0].spec.expect = "3000000001 + i";
  ASSERT_TRUE(checkFormulas(plan, {bytes}, 1, check).ok());
  EXPECT_FALSE(check.ok);
}

TEST(Formula, CanUseTheSeededInputs) {
  compile::Plan plan = planOf("x(i) + x(i + 1)", 3);
  compile::ResolvedOperand in;
  in.spec.name = "x";
  in.spec.type = ElementType::i32;
  in.elements = 4;
  plan.operands.push_back(in);
  const std::vector<std::byte> filled =
      device::fillOperand(operandOf(plan.operands[1]), 1, 7, std::byte{0});
  std::vector<int32_t> x(4);
  std::memcpy(x.data(), filled.data(), filled.size());
  std::vector<float> sums;
  for (size_t i = 0; i < 3; ++i) sums.push_back(static_cast<float>(x[i] + x[i + 1]));
  std::vector<std::byte> bytes(sums.size() * sizeof(float));
  std::memcpy(bytes.data(), sums.data(), bytes.size());
  for (const uint64_t seed : {7, 8}) {
    Check check;
    check.ok = true;
    ASSERT_TRUE(checkFormulas(plan, {bytes, {}}, seed, check).ok());
    EXPECT_EQ(check.ok, seed == 7) << "seed " << seed;
  }
}

}  // namespace tilestep::lab::formula_test
