// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/operation.h"

#include <gtest/gtest.h>

#include <numeric>

namespace tilestep::lab::operation_test {

using Numbers = std::vector<double>;

/// A launch of blocks of 4 threads, with buffers that are added one by one.
struct Launch {
  Launch() { values.block = {4, 1, 1}; }

  Launch& in(const std::string& name, ElementType type, Numbers before) {
    add(name, type, before.size());
    values.values.back().before = std::move(before);
    return *this;
  }
  Launch& out(const std::string& name, ElementType type, Numbers after, Numbers before = {}) {
    add(name, type, after.size());
    values.values.back().written.assign(after.size(), true);
    values.values.back().after = std::move(after);
    values.values.back().before = std::move(before);
    return *this;
  }
  Launch& shape(uint64_t rows, uint64_t columns) {
    values.operands.back().rows = rows;
    values.operands.back().columns = columns;
    return *this;
  }
  [[nodiscard]] std::string name() const {
    const auto found = recogniseOperation(values);
    return found ? found->name + ": " + found->formula : "";
  }
  LaunchValues values;

 private:
  void add(const std::string& name, ElementType type, uint64_t elements) {
    compile::ResolvedOperand operand;
    operand.spec.name = name;
    operand.spec.type = type;
    operand.elements = elements;
    values.operands.push_back(operand);
    values.values.emplace_back();
  }
};

constexpr ElementType kFloat = ElementType::f32, kInt = ElementType::i32;

Numbers counting(size_t count, double first = 1) {
  Numbers numbers(count);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

/// A launch of C = A · B, with 2 x 3 times 3 x 2 elements unless specified.
Launch productOf(const Numbers& c, const Numbers& before = {}, const Numbers& a = counting(6),
                 const Numbers& b = counting(6)) {
  return Launch().in("A", kFloat, a).in("B", kFloat, b).out("C", kFloat, c, before);
}
const Numbers kProduct{22, 28, 49, 64};

TEST(Operations, ProductsAreRecognisedByTheirExtents) {
  const Launch launch = productOf(kProduct);
  EXPECT_EQ(launch.name(), "product: A · B");
  EXPECT_EQ(questionOf(*recogniseOperation(launch.values), launch.values), "");
  Numbers sums = kProduct, rounded = kProduct;
  for (double& each : sums) each += 5;
  EXPECT_EQ(productOf(sums, Numbers(4, 5.0)).name(), "product: C + A · B");
  rounded[2] *= 1 + 1e-7;
  EXPECT_EQ(productOf(rounded).name(), "product: A · B") << "rounding is no difference";
}

TEST(Operations, AmbiguousValuesAreNoEvidence) {
  EXPECT_EQ(productOf(Numbers(4, 6.0), {}, Numbers(6, 1.0), Numbers(6, 2.0)).name(), "") << "equal";
  EXPECT_EQ(productOf(Numbers(4, 0.0), {}, Numbers(6, 0.0)).name(), "") << "zeros";
  const Numbers large(4, -1e30);
  EXPECT_EQ(productOf(large, large).name(), "") << "rounding absorbs the product";
}

TEST(Operations, AFewDifferentElementsLeadToAQuestion) {
  // C = A · B with 10 x 10 elements, of which one is wrong.
  const Numbers a = counting(100), b = counting(100, -50);
  Numbers c(100, 0);
  for (size_t i = 0; i < 1000; ++i)
    c[i / 100 * 10 + i % 10] += a[i / 100 * 10 + i / 10 % 10] * b[i / 10 % 10 * 10 + i % 10];
  c[37] += 1000;
  const Launch launch =
      Launch().in("A", kFloat, a).in("B", kFloat, b).out("C", kFloat, c).shape(10, 10);
  const auto found = recogniseOperation(launch.values);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->wrong, 1u);
  EXPECT_EQ(questionOf(*found, launch.values),
            "1 of 100 elements differ from A · B, the first at C[3][7] (2535 instead of 1535); is "
            "it meant to be A · B?");
  EXPECT_FALSE(checkOf(*found).ok);
}

/// 1, 2, 3, … + 3, 4, 5, …
Numbers sumsOf20() {
  Numbers sums = counting(20);
  for (double& each : sums) each = 2 * each + 2;
  return sums;
}

TEST(Operations, AtMostOneTenthMayDiffer) {
  Numbers sums = sumsOf20();
  sums[3] = sums[4] = 0;
  const auto named = [&] {
    return Launch()
        .in("x", kFloat, counting(20))
        .in("y", kFloat, counting(20, 3))
        .out("z", kFloat, sums)
        .name();
  };
  EXPECT_EQ(named(), "sum: x + y");
  sums[5] = 0;
  EXPECT_EQ(named(), "");
}

TEST(Operations, UnwrittenElementsAreNotCompared) {
  Launch launch = Launch()
                      .in("x", kFloat, counting(20))
                      .in("y", kFloat, counting(20, 3))
                      .out("z", kFloat, sumsOf20());
  for (size_t i = 4; i < 20; ++i) {
    launch.values.values[2].after[i] = -1;
    launch.values.values[2].written[i] = false;
  }
  const auto found = recogniseOperation(launch.values);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->compared, 4u);
  EXPECT_EQ(found->wrong, 0u);

  EXPECT_EQ(compareWith("sum", launch.values)->wrong, 16u);
}

TEST(Operations, CopiesOfSymmetricMatricesAreNotTransposes) {
  EXPECT_EQ(Launch()
                .in("in", kFloat, counting(6))
                .shape(2, 3)
                .out("out", kFloat, {1, 4, 2, 5, 3, 6})
                .name(),
            "transpose: inᵀ");
  EXPECT_EQ(Launch().in("in", kFloat, {1, 2, 2, 1}).out("out", kFloat, {1, 2, 2, 1}).name(), "");
}

TEST(Operations, ScansReductionsAndHistogramsAreRecognised) {
  EXPECT_EQ(Launch().in("x", kInt, {3, 1, 4, 1, 5}).out("y", kInt, {3, 4, 8, 9, 14}).name(),
            "scan: the inclusive scan of x");
  EXPECT_EQ(Launch().out("x", kInt, {0, 3, 4, 8, 9}, {3, 1, 4, 1, 5}).name(),
            "scan: the exclusive scan of x");
  EXPECT_EQ(Launch().in("x", kFloat, counting(8)).out("sum", kFloat, {36}).name(),
            "reduction: the sum of x");
  EXPECT_EQ(Launch().in("x", kFloat, counting(8)).out("sums", kFloat, {10, 26}).name(),
            "reduction: the sum of x, 4 by 4");
  EXPECT_EQ(Launch().in("x", kInt, {3, 9, 4}).out("top", kInt, {9}).name(),
            "reduction: the largest of x");
  EXPECT_EQ(Launch()
                .in("text", ElementType::u8, {0, 2, 2, 1, 2, 0})
                .out("bins", ElementType::u32, {2, 1, 3, 0})
                .name(),
            "histogram: how often each value occurs in text");
}

TEST(Operations, OnlyFittingShapesAreCompared) {
  const Launch launch = Launch().in("x", kFloat, counting(8)).out("sum", kFloat, {36});
  EXPECT_FALSE(compareWith("transpose", launch.values));
  EXPECT_EQ(compareWith("reduction", launch.values)->wrong, 0u);
}

}  // namespace tilestep::lab::operation_test
