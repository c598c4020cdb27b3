// SPDX-License-Identifier: Apache-2.0
#include "lab/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

#include "lab/product_reference.h"
#include "support/results.h"

namespace tilestep::lab::reference_test {

using device::Operand;

constexpr uint64_t kSeed = 1;

Operand matrix(uint64_t rows, uint64_t columns, Direction direction) {
  Operand operand;
  operand.rows = rows;
  operand.columns = columns;
  operand.elements = rows * columns;
  operand.direction = direction;
  return operand;
}

std::vector<float> floatsOf(const std::vector<std::byte>& bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<std::byte> bytesOfFloats(const std::vector<float>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::vector<float> input(const std::vector<Operand>& operands, uint32_t index) {
  return floatsOf(device::fillOperand(operands[index], index, kSeed, std::byte{0}));
}

struct Case {
  std::vector<Operand> operands;
  std::vector<float> result;
  int64_t elementsPerBlock = 0;

  [[nodiscard]] Result<Check> check(const std::string& reference, uint64_t unwritten = 0) const {
    std::vector<std::vector<std::byte>> outputs(operands.size());
    outputs.back() = bytesOfFloats(result);
    return checkOutputs({reference, elementsPerBlock}, operands, outputs, kSeed, unwritten, {});
  }
};

Case product(uint64_t m, uint64_t n, uint64_t k) {
  Case c;
  c.operands = {matrix(m, k, Direction::in), matrix(k, n, Direction::in),
                matrix(m, n, Direction::out)};
  const std::vector<float> a = input(c.operands, 0), b = input(c.operands, 1);
  for (uint64_t row = 0; row < m; ++row) {
    for (uint64_t column = 0; column < n; ++column) {
      float sum = 0;
      for (uint64_t i = 0; i < k; ++i) sum = std::fma(a[row * k + i], b[i * n + column], sum);
      c.result.push_back(sum);
    }
  }
  return c;
}

TEST(Reference, CorrectProductsPassAtOddSizes) {
  for (const auto& [m, n, k] :
       {std::tuple<int, int, int>{1, 1, 1}, {7, 7, 7}, {100, 37, 61}, {3, 300, 5}, {33, 33, 33}}) {
    const auto check = product(m, n, k).check("matmul");
    ASSERT_TRUE(check);
    EXPECT_TRUE(check->ok) << m << " " << n << " " << k << ": " << check->scaledError;
    EXPECT_EQ(check->reference, "float64");
    EXPECT_DOUBLE_EQ(check->bound, std::ldexp(std::sqrt(k), -22));
  }
}

TEST(Reference, ADroppedTermAndNonFiniteOutputsAreWrong) {
  Case c = product(64, 64, 64);
  const std::vector<float> a = input(c.operands, 0), b = input(c.operands, 1);
  c.result[64 * 63 + 63] -= a[64 * 63 + 17] * b[17 * 64 + 63];
  const auto check = valueOrThrow(c.check("matmul"));
  EXPECT_FALSE(check.ok);
  EXPECT_GT(check.scaledError, check.bound);
  c = product(8, 8, 8);
  EXPECT_FALSE(c.check("matmul", 1)->ok) << "an element is unwritten";
  EXPECT_FALSE(c.check("", 2)->ok);
  EXPECT_TRUE(c.check("", 0)->ok);
  c.result[5] = NAN;
  c.result[9] = INFINITY;
  EXPECT_FALSE(c.check("matmul")->ok);
  EXPECT_EQ(c.check("matmul")->nonFinite, 2U);
  EXPECT_EQ(c.check("matmul")->scaledError, std::numeric_limits<double>::max()) << "for JSON";
}

TEST(Reference, Tf32ProductsHaveALooserBound) {
  constexpr uint64_t kK = 64;
  Case c = product(8, 8, kK);
  EXPECT_DOUBLE_EQ(c.check("matmul_tf32")->bound, std::ldexp(1 / 8.0, -8) + std::ldexp(8.0, -22));
  // The same product, with factors rounded to 10 bits.
  const auto rounded = [](float value) {
    uint32_t bits = 0;
    std::memcpy(&bits, &value, 4);
    bits &= ~uint32_t{0x1FFF};
    std::memcpy(&value, &bits, 4);
    return value;
  };
  const std::vector<float> left = input(c.operands, 0), right = input(c.operands, 1);
  for (uint64_t row = 0; row < 8; ++row) {
    for (uint64_t column = 0; column < 8; ++column) {
      float sum = 0;
      for (uint64_t i = 0; i < kK; ++i)
        sum += rounded(left[row * kK + i]) * rounded(right[i * 8 + column]);
      c.result[row * 8 + column] = sum;
    }
  }
  EXPECT_FALSE(c.check("matmul")->ok);  // Too coarse for FP32.
  EXPECT_TRUE(c.check("matmul_tf32")->ok) << c.check("matmul_tf32")->scaledError;
  c.result[11] += 0.2F;  // About the size of one missing term.
  EXPECT_FALSE(c.check("matmul_tf32")->ok);
}

TEST(Reference, ShapesThatDoNotFitAreRefused) {
  Case c = product(4, 5, 6);
  c.operands[1].rows = 7;
  const auto check = c.check("matmul");
  ASSERT_FALSE(check);
  EXPECT_EQ(check.error().kind, ErrorKind::request);
  EXPECT_FALSE(c.check("fft"));
  EXPECT_TRUE(
      has(c.check("fft").error().message, "transpose, block_sums, block_scan or convolution"));
}

TEST(Reference, SumsAndTransposesAreComparedExactly) {
  Case sums;
  sums.operands = {matrix(5, 9, Direction::in), matrix(5, 9, Direction::in),
                   matrix(5, 9, Direction::out)};
  const std::vector<float> a = input(sums.operands, 0), b = input(sums.operands, 1);
  for (size_t i = 0; i < a.size(); ++i) sums.result.push_back(a[i] + b[i]);
  EXPECT_TRUE(sums.check("sum")->ok);
  sums.result[44] = std::nextafter(sums.result[44], 10.0F);
  EXPECT_FALSE(sums.check("sum")->ok);
  Case turned;
  turned.operands = {matrix(3, 4, Direction::in), matrix(4, 3, Direction::out)};
  const std::vector<float> in = input(turned.operands, 0);
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 3; ++column) turned.result.push_back(in[column * 4 + row]);
  EXPECT_TRUE(turned.check("transpose")->ok);
  std::swap(turned.result[0], turned.result[1]);
  EXPECT_FALSE(turned.check("transpose")->ok);
}

Operand vectorOf(uint64_t elements, Direction direction, ElementType type = ElementType::f32) {
  Operand operand;
  operand.elements = elements;
  operand.direction = direction;
  operand.type = type;
  return operand;
}

TEST(Reference, BlockSumsAreComparedWithinTheBound) {
  Case c;
  c.elementsPerBlock = 100;
  c.operands = {vectorOf(250, Direction::in), vectorOf(3, Direction::out)};
  const std::vector<float> in = input(c.operands, 0);
  for (size_t block = 0; block < 3; ++block) {
    float sum = 0;
    for (size_t i = block * 100; i < std::min<size_t>(250, (block + 1) * 100); ++i) sum += in[i];
    c.result.push_back(sum);
  }
  const auto check = c.check("block_sums");
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->ok);
  EXPECT_DOUBLE_EQ(check->bound, std::ldexp(10, -22));
  c.result[2] -= in[249];
  EXPECT_FALSE(c.check("block_sums")->ok);
  c.elementsPerBlock = 99;
  EXPECT_TRUE(c.check("block_sums").ok());  // Also three blocks, but different ones.
  EXPECT_FALSE(c.check("block_sums")->ok);
  c.elementsPerBlock = 50;
  EXPECT_FALSE(c.check("block_sums").ok());
}

TEST(Reference, PrefixSumsRestartInEachBlock) {
  Case c;
  c.elementsPerBlock = 100;
  c.operands = {vectorOf(250, Direction::in), vectorOf(250, Direction::out)};
  const std::vector<float> in = input(c.operands, 0);
  float sum = 0;
  for (size_t i = 0; i < in.size(); ++i)
    c.result.push_back(sum = i % 100 == 0 ? in[i] : sum + in[i]);
  const auto check = c.check("block_scan");
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->ok) << check->scaledError;
  EXPECT_DOUBLE_EQ(check->bound, std::ldexp(10, -22));
  const float right = std::exchange(c.result[249], c.result[248]);
  EXPECT_FALSE(c.check("block_scan")->ok) << "an exclusive sum";
  c.result[249] = right;
  for (const int64_t length : {99, 250}) {
    c.elementsPerBlock = length;
    EXPECT_FALSE(c.check("block_scan")->ok) << length;
  }
  c.elementsPerBlock = 0;
  EXPECT_FALSE(c.check("block_scan").ok());
  c.elementsPerBlock = 100;
  c.operands[1] = vectorOf(3, Direction::out);
  EXPECT_FALSE(c.check("block_scan").ok());
}

TEST(Reference, SumsOfIntegersWrapAroundAndAreExact) {
  for (const std::string name : {"block_sums", "block_scan"}) {
    const bool isScan = name == "block_scan";
    const std::vector<Operand> operands = {
        vectorOf(1000, Direction::in, ElementType::i32),
        vectorOf(isScan ? 1000 : 1, Direction::out, ElementType::u8)};
    const std::vector<std::byte> in = device::fillOperand(operands[0], 0, kSeed, std::byte{0});
    std::vector<std::byte> sums;
    uint8_t sum = 0;
    for (size_t i = 0; i < in.size(); i += 4)
      sums.push_back(std::byte{sum = static_cast<uint8_t>(sum + uint8_t(in[i]))});
    if (!isScan) sums = {sums.back()};
    const auto check = [&] {
      return valueOrThrow(checkOutputs({name, 1000}, operands, {{}, sums}, kSeed, 0, {}));
    };
    EXPECT_TRUE(check().ok) << name;
    EXPECT_EQ(check().bound, 0) << name;
    sums.back() = std::byte(uint8_t(sums.back()) + 1);
    EXPECT_FALSE(check().ok) << name;
  }
}

/// Computed cell by cell from the definition. The filter is a symbol and the last operand, as in
/// the kernels.
Case convolution(int rows, int columns, int filterRows, int filterColumns) {
  Case c;
  Operand filter = matrix(uint64_t(filterRows), uint64_t(filterColumns), Direction::in);
  filter.kind = OperandKind::symbol;
  c.operands = {matrix(uint64_t(rows), uint64_t(columns), Direction::in), filter,
                matrix(uint64_t(rows), uint64_t(columns), Direction::out)};
  const std::vector<float> in = input(c.operands, 0), weights = input(c.operands, 1);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      float sum = 0;
      for (int i = 0; i < filterRows; ++i)
        for (int j = 0; j < filterColumns; ++j) {
          const int y = row + i - filterRows / 2, x = column + j - filterColumns / 2;
          const bool inside = y >= 0 && y < rows && x >= 0 && x < columns;
          if (inside) sum += weights[size_t(i * filterColumns + j)] * in[size_t(y * columns + x)];
        }
      c.result.push_back(sum);
    }
  return c;
}

TEST(Reference, ElementsOutsideAConvolutionCountAsZero) {
  for (const auto& [rows, columns, up, across] :
       {std::tuple<int, int, int, int>{7, 9, 3, 3}, {1, 1, 5, 5}, {2, 20, 7, 3}, {1, 30, 1, 9}}) {
    Case c = convolution(rows, columns, up, across);
    const auto check = valueOrThrow(c.check("convolution"));
    EXPECT_TRUE(check.ok) << rows << " " << columns << ": " << check.scaledError;
    EXPECT_DOUBLE_EQ(check.bound, std::ldexp(std::sqrt(up * across), -22));
    c.result.back() += 0.001F;
    EXPECT_FALSE(c.check("convolution")->ok);
  }
  Case turned = convolution(6, 6, 3, 3);
  std::ranges::reverse(turned.result);  // The result for a reversed filter and a reversed matrix.
  EXPECT_FALSE(turned.check("convolution")->ok);
}

TEST(Reference, ConvolutionsThatDoNotFitAreRefused) {
  for (const auto& [up, across] : {std::pair<int, int>{2, 3}, {3, 2}})
    EXPECT_FALSE(convolution(5, 5, up, across).check("convolution").ok()) << up << " " << across;
  Case other = convolution(4, 6, 3, 3);
  std::swap(other.operands[2].rows, other.operands[2].columns);
  EXPECT_FALSE(other.check("convolution").ok());
  Case alone = convolution(4, 6, 3, 3);
  alone.operands.erase(alone.operands.begin() + 1);
  EXPECT_FALSE(alone.check("convolution").ok()) << "no filter";
}

TEST(ProductReference, LargeProductsAreSampledByRow) {
  EXPECT_EQ(rowStep({1024, 1024, 1024}, kExactProducts), 1U);
  EXPECT_EQ(rowStep({2048, 2048, 2048}, kExactProducts), 1U);
  EXPECT_EQ(rowStep({4096, 4096, 4096}, kExactProducts), 5U);
  EXPECT_EQ(rowStep({1, 1 << 20, 1 << 20}, kExactProducts), 1U);
  const ProductShape shape{6, 1, 1};
  const std::vector<double> a{1, 2, 3, 4, 5, 6}, b{1};
  std::vector<double> out = a;
  out[1] = 9;
  EXPECT_EQ(*productError(shape, a, b, out, 3, {}), 0);
  EXPECT_EQ(*productError(shape, a, b, out, 1, {}), 3.5);
  out[3] = 8;
  EXPECT_EQ(*productError(shape, a, b, out, 3, {}), 1);
}

TEST(ProductReference, CancelStopsTheComparison) {
  const std::vector<double> one{1};
  EXPECT_FALSE(productError({1, 1, 1}, one, one, one, 1, [] { return true; }));
  const Case c = product(2, 3, 4);
  std::vector<std::vector<std::byte>> outputs(3);
  outputs[2] = bytesOfFloats(c.result);
  const auto stopped =
      checkOutputs({"matmul", 0}, c.operands, outputs, kSeed, 0, [] { return true; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::work);
}

}  // namespace tilestep::lab::reference_test
