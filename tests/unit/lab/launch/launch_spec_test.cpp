// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/launch_spec.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace tilestep::lab::launch_spec_test {

TEST(BarrierLoop, IsTheRepetitionThatCoversMostBarriers) {
  const auto found = [](const std::vector<uint32_t>& lines) {
    const BarrierLoop loop = loopOf(lines);
    return std::array{loop.before, loop.period, loop.passes};
  };
  using Loop = decltype(found({}));
  EXPECT_EQ(found({21, 27, 21, 27, 21, 27}), (Loop{0, 2, 3}));
  EXPECT_EQ(found({22, 26, 26, 26, 26}), (Loop{1, 1, 4}));
  for (const std::vector<uint32_t>& without : {{}, {7}, std::vector<uint32_t>{7, 9, 12}})
    EXPECT_EQ(loopOf(without).period, 0U);
}

compile::ResolvedOperand matrix(const std::string& name, Direction direction, uint64_t rows,
                                uint64_t columns) {
  compile::ResolvedOperand operand;
  operand.spec.name = name;
  operand.spec.direction = direction;
  operand.rows = rows;
  operand.columns = columns;
  operand.elements = rows * columns;
  return operand;
}

RunResult launchOfProduct() {
  RunResult result;
  result.isLaunch = true;
  result.plan.operands = {matrix("C", Direction::out, 24, 28), matrix("A", Direction::in, 24, 20),
                          matrix("B", Direction::in, 20, 28)};
  result.plan.launches.push_back({});
  result.plan.sizes = {{"hA", 24}, {"wA", 20}, {"wB", 28}};
  return result;
}

TEST(LaunchSpec, ProductsHaveTheSizesMNK) {
  const compile::KernelSpec spec = specOfLaunch(launchOfProduct(), {"hw1 #1", "mul", "A · B", "C"});
  EXPECT_EQ(spec.reference, "matmul");
  EXPECT_EQ(spec.sizes, (compile::Bindings{{"m", 24}, {"n", 28}, {"k", 20}}));
  ASSERT_NE(spec.given, nullptr);
  EXPECT_EQ(spec.given->operations, 2.0 * 24 * 28 * 20);
  EXPECT_EQ(spec.operands[1].rows, "m");
  EXPECT_EQ(spec.operands[1].columns, "k");
  const auto planned = compile::plan(spec, {}, {}, {});
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->operands.size(), 3U);
}

TEST(LaunchSpec, OtherLaunchesKeepTheirSizeNames) {
  const compile::KernelSpec other = specOfLaunch(launchOfProduct(), {"hw1 #1", "mul", "", ""});
  EXPECT_TRUE(other.reference.empty());
  EXPECT_EQ(other.sizes.at("wA"), 20);
  const compile::KernelSpec refused =
      specOfLaunch(launchOfProduct(), {"hw1 #1", "mul", "A · B", "C", {kOperation}});
  EXPECT_TRUE(refused.reference.empty());
  ASSERT_FALSE(refused.assumed.empty());
  EXPECT_EQ(refused.assumed.back().value, "not treated as a product, as you chose");
  RunResult result = launchOfProduct();
  result.plan.operands[2].rows = 21;
  EXPECT_TRUE(specOfLaunch(result, {"hw1 #1", "mul", "A · B", "C"}).reference.empty());
}

TEST(LaunchSpec, OnlyAResultWithTheSameOperandsGetsThePlan) {
  RunResult result = launchOfProduct();
  const compile::KernelSpec spec = specOfLaunch(result, {"hw1 #1", "mul", "A · B", "C"});
  takePlan(spec, result);
  EXPECT_EQ(result.plan.sizes.at("k"), 20);
  RunResult other = launchOfProduct();
  other.plan.operands.pop_back();
  takePlan(spec, other);
  EXPECT_FALSE(other.plan.sizes.contains("k"));
}

}  // namespace tilestep::lab::launch_spec_test
