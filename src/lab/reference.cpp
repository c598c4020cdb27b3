// SPDX-License-Identifier: Apache-2.0
#include "lab/reference.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <thread>

#include "lab/array_reference.h"
#include "lab/elements.h"
#include "lab/product_reference.h"

namespace tilestep::lab {
namespace {

using device::Operand;

struct Buffers {
  std::vector<uint32_t> inputs, outputs;  ///< Operand indices of buffers.
};

Buffers buffersOf(const std::vector<Operand>& operands) {
  Buffers buffers;
  for (uint32_t i = 0; i < operands.size(); ++i) {
    if (operands[i].kind != OperandKind::buffer) continue;
    if (operands[i].direction != Direction::out) buffers.inputs.push_back(i);
    if (operands[i].direction != Direction::in) buffers.outputs.push_back(i);
  }
  return buffers;
}

Error shapeError(const std::string& reference, const std::string& needs) {
  return requestError("the reference " + reference + " needs " + needs +
                      ": change the operands or the reference in the front matter");
}

/// The error of `value` relative to `right`, in units of `scale`; infinite if it is not finite.
double scaledError(double value, double right, double scale) {
  if (value == right) return 0;
  const double error = std::fabs(value - right) / scale;
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// The arguments of every reference computation.
struct Work {
  const std::vector<Operand>& operands;
  const std::vector<std::vector<std::byte>>& outputs;
  uint64_t seed;
  const device::Cancelled& stop;

  [[nodiscard]] bool stopped() const { return stop && stop(); }
  /// Whether to stop; polled at intervals of a few milliseconds' work.
  [[nodiscard]] bool stoppedAt(uint64_t element) const {
    constexpr uint64_t kEvery = uint64_t{1} << 20;
    return element % kEvery == 0 && stopped();
  }
};

Error stoppedError() {
  return workError("the check was stopped");
}

Result<std::vector<double>> inputValues(const Work& work, uint32_t index) {
  auto values = inputAsDoubles(work.operands[index], index, work.seed, work.stop);
  if (!values) return stoppedError();
  return std::move(*values);
}

Result<std::vector<double>> outputValues(const Work& work, uint32_t index, uint64_t elements) {
  const ElementType type = work.operands[index].type;
  if (work.outputs[index].size() / bytesOf(type) != elements)
    return workError("an output was not returned");
  auto values = elementsAsDoubles(type, work.outputs[index], work.stop);
  if (!values) return stoppedError();
  return std::move(*values);
}

Result<Check> checkProduct(const Work& work, const Buffers& buffers, bool tf32) {
  const std::vector<Operand>& operands = work.operands;
  if (buffers.inputs.size() < 2 || buffers.outputs.empty()) {
    return shapeError("matmul", "two input buffers and one output");
  }
  const Operand &left = operands[buffers.inputs[0]], &right = operands[buffers.inputs[1]];
  const Operand& product = operands[buffers.outputs[0]];
  const bool fits = left.columns == right.rows && product.rows == left.rows &&
                    product.columns == right.columns && left.rows * left.columns != 0;
  if (!fits || !isFloatingPoint(product.type)) {
    return shapeError("matmul", "floating-point operands of m x k, k x n and m x n");
  }
  const Result<std::vector<double>> a = inputValues(work, buffers.inputs[0]);
  if (!a) return a.error();
  const Result<std::vector<double>> b = inputValues(work, buffers.inputs[1]);
  if (!b) return b.error();
  const Result<std::vector<double>> out =
      outputValues(work, buffers.outputs[0], product.rows * product.columns);
  if (!out) return out.error();
  const ProductShape shape{product.rows, product.columns, left.columns};
  const uint64_t step = rowStep(shape, kExactProducts);
  const std::optional<double> error = productError(shape, *a, *b, *out, step, work.stop);
  if (!error) return stoppedError();
  Check check;
  check.reference = step == 1 ? "float64" : "float64 (1 row in " + std::to_string(step) + ")";
  check.scaledError = *error;
  const double root = std::sqrt(static_cast<double>(left.columns));
  // The 10-bit mantissas have errors of up to 2^-10 each; random errors grow with the root of k.
  check.bound = std::ldexp(root, -22) + (tf32 ? std::ldexp(1 / root, -8) : 0);
  return check;
}

Result<Check> checkSum(const Work& work, const Buffers& buffers) {
  const std::vector<Operand>& operands = work.operands;
  if (buffers.inputs.size() < 2 || buffers.outputs.empty()) {
    return shapeError("sum", "two input buffers and one output");
  }
  const Operand& sum = operands[buffers.outputs[0]];
  const bool same = operands[buffers.inputs[0]].elements == sum.elements &&
                    operands[buffers.inputs[1]].elements == sum.elements;
  if (!same || (sum.type != ElementType::f32 && sum.type != ElementType::f64)) {
    return shapeError("sum", "buffers of the same size and of type f32 or f64");
  }
  const Result<std::vector<double>> first = inputValues(work, buffers.inputs[0]);
  if (!first) return first.error();
  const Result<std::vector<double>> second = inputValues(work, buffers.inputs[1]);
  if (!second) return second.error();
  const Result<std::vector<double>> sums = outputValues(work, buffers.outputs[0], first->size());
  if (!sums) return sums.error();
  const std::vector<double>&a = *first, &b = *second, &out = *sums;
  Check check;
  check.reference = "float64";
  for (size_t i = 0; i < out.size(); ++i) {
    if (work.stoppedAt(i)) return stoppedError();
    // Random operands are multiples of 2^-23 below 1: their sum is exact in a double, and rounding
    // it once gives the float's sum.
    const double exact = a[i] + b[i];
    const double right = sum.type == ElementType::f32 ? static_cast<float>(exact) : exact;
    check.scaledError =
        std::max(check.scaledError, scaledError(out[i], right, std::fabs(a[i]) + std::fabs(b[i])));
  }
  return check;
}

Result<Check> checkTranspose(const Work& work, const Buffers& buffers) {
  const std::vector<Operand>& operands = work.operands;
  if (buffers.inputs.empty() || buffers.outputs.empty()) {
    return shapeError("transpose", "one input buffer and one output");
  }
  const Operand &in = operands[buffers.inputs[0]], &out = operands[buffers.outputs[0]];
  if (in.rows != out.columns || in.columns != out.rows || in.rows == 0) {
    return shapeError("transpose", "an output with the input's columns as rows");
  }
  const Result<std::vector<double>> from = inputValues(work, buffers.inputs[0]);
  if (!from) return from.error();
  const Result<std::vector<double>> to = outputValues(work, buffers.outputs[0], from->size());
  if (!to) return to.error();
  Check check;
  check.reference = "float64";
  for (uint64_t row = 0; row < in.rows; ++row) {
    for (uint64_t column = 0; column < in.columns; ++column) {
      if (work.stoppedAt(row * in.columns + column)) return stoppedError();
      const double right = (*from)[row * in.columns + column];
      const double value = (*to)[column * in.rows + row];
      check.scaledError = std::max(check.scaledError, scaledError(value, right, std::fabs(right)));
    }
  }
  return check;
}

Result<Check> checkBlockSums(const Work& work, const Buffers& buffers, int64_t perBlock) {
  const std::vector<Operand>& operands = work.operands;
  if (buffers.inputs.empty() || buffers.outputs.empty() || perBlock < 1) {
    return shapeError("block_sums", "an input buffer, an output and elements_per_block");
  }
  const Operand &in = operands[buffers.inputs[0]], &sums = operands[buffers.outputs[0]];
  const auto length = static_cast<uint64_t>(perBlock);
  if (sums.elements != in.elements / length + (in.elements % length != 0)) {
    return shapeError("block_sums", "an output of ceildiv(elements, elements_per_block)");
  }
  const Result<std::vector<double>> from = inputValues(work, buffers.inputs[0]);
  if (!from) return from.error();
  const Result<std::vector<double>> to = outputValues(work, buffers.outputs[0], sums.elements);
  if (!to) return to.error();
  const bool rounds = isFloatingPoint(sums.type);
  Check check;
  check.reference = "float64";
  if (rounds) check.bound = std::ldexp(std::sqrt(static_cast<double>(length)), -22);
  for (uint64_t block = 0; block < sums.elements; ++block) {
    double sum = 0, size = 0;
    const uint64_t end = std::min<uint64_t>(from->size(), (block + 1) * length);
    for (uint64_t i = block * length; i < end; ++i) {
      if (work.stoppedAt(i)) return stoppedError();
      sum += (*from)[i];
      size += std::fabs((*from)[i]);
    }
    const double right = rounds ? sum : wrapped(sums.type, sum);
    check.scaledError = std::max(check.scaledError, scaledError((*to)[block], right, size));
  }
  return check;
}

Result<Check> checkBlockScan(const Work& work, const Buffers& buffers, int64_t perBlock) {
  const std::vector<Operand>& operands = work.operands;
  if (buffers.inputs.empty() || buffers.outputs.empty() || perBlock < 1) {
    return shapeError("block_scan", "an input buffer, an output and elements_per_block");
  }
  const Operand &in = operands[buffers.inputs[0]], &sums = operands[buffers.outputs[0]];
  if (sums.elements != in.elements) {
    return shapeError("block_scan", "an output of as many elements as the input");
  }
  const Result<std::vector<double>> from = inputValues(work, buffers.inputs[0]);
  if (!from) return from.error();
  const Result<std::vector<double>> to = outputValues(work, buffers.outputs[0], sums.elements);
  if (!to) return to.error();
  const bool rounds = isFloatingPoint(sums.type);
  Check check;
  check.reference = "float64";
  if (rounds) check.bound = std::ldexp(std::sqrt(static_cast<double>(perBlock)), -22);
  PrefixSums prefix(static_cast<uint64_t>(perBlock));
  for (uint64_t i = 0; i < sums.elements; ++i) {
    if (work.stoppedAt(i)) return stoppedError();
    const RightElement sum = prefix.add((*from)[i]);
    const double right = rounds ? sum.value : wrapped(sums.type, sum.value);
    check.scaledError = std::max(check.scaledError, scaledError((*to)[i], right, sum.scale));
  }
  return check;
}

/// The filter of a convolution is the input after `matrix`, a buffer or a symbol.
std::optional<uint32_t> filterAfter(const std::vector<Operand>& operands, uint32_t matrix) {
  for (uint32_t i = 0; i < operands.size(); ++i) {
    const bool isInput =
        operands[i].kind != OperandKind::scalar && operands[i].direction != Direction::out;
    if (isInput && i != matrix) return i;
  }
  return std::nullopt;
}

Result<Check> checkConvolution(const Work& work, const Buffers& buffers) {
  const std::vector<Operand>& operands = work.operands;
  const auto filterAt =
      buffers.inputs.empty() ? std::nullopt : filterAfter(operands, buffers.inputs[0]);
  if (!filterAt || buffers.outputs.empty()) {
    return shapeError("convolution", "an input buffer, a filter and an output");
  }
  const Operand &in = operands[buffers.inputs[0]], &filter = operands[*filterAt];
  const Operand& out = operands[buffers.outputs[0]];
  const ConvolutionShape shape{in.rows, in.columns, filter.rows, filter.columns};
  if (!shape.isOne() || out.rows != in.rows || out.columns != in.columns ||
      !isFloatingPoint(out.type)) {
    return shapeError("convolution",
                      "a floating-point output of the input's rows and columns, and a filter with "
                      "odd numbers of rows and columns");
  }
  const Result<std::vector<double>> from = inputValues(work, buffers.inputs[0]);
  if (!from) return from.error();
  const Result<std::vector<double>> weights = inputValues(work, *filterAt);
  if (!weights) return weights.error();
  const Result<std::vector<double>> to = outputValues(work, buffers.outputs[0], out.elements);
  if (!to) return to.error();
  constexpr uint64_t kEvery = 4096;  // Elements between two polls of `cancelled`.
  const uint64_t step = rowStep({in.rows, in.columns, filter.elements}, kExactConvolutions);
  Check check;
  check.reference = step == 1 ? "float64" : "float64 (1 row in " + std::to_string(step) + ")";
  check.bound = std::ldexp(std::sqrt(static_cast<double>(filter.elements)), -22);
  for (uint64_t row = 0; row < in.rows; row += step) {
    for (uint64_t column = 0; column < in.columns; ++column) {
      if (column % kEvery == 0 && work.stopped()) return stoppedError();
      const RightElement right = convolved(shape, *from, *weights, row, column);
      const double value = (*to)[row * in.columns + column];
      check.scaledError = std::max(check.scaledError, scaledError(value, right.value, right.scale));
    }
  }
  return check;
}

/// Counts NaN and infinities in floating-point outputs. Finite inputs below 1 never produce them.
Result<uint64_t> countNonFinite(const Work& work) {
  uint64_t count = 0;
  for (size_t i = 0; i < work.operands.size(); ++i) {
    const Operand& operand = work.operands[i];
    if (operand.direction == Direction::in || !isFloatingPoint(operand.type)) continue;
    const unsigned width = bytesOf(operand.type);
    const uint64_t elements = work.outputs[i].size() / width;
    for (uint64_t element = 0; element < elements; ++element) {
      if (work.stoppedAt(element)) return stoppedError();
      const std::byte* at = work.outputs[i].data() + element * width;
      count += std::isfinite(elementAsDouble(operand.type, at)) ? 0 : 1;
    }
  }
  return count;
}

Result<Check> compare(const Reference& reference, const Work& work) {
  const Buffers buffers = buffersOf(work.operands);
  const std::string& name = reference.name;
  if (name.empty()) return Check{};
  const bool tf32 = name == "matmul_tf32";
  if (tf32 || name == "matmul") return checkProduct(work, buffers, tf32);
  if (name == "sum") return checkSum(work, buffers);
  if (name == "transpose") return checkTranspose(work, buffers);
  if (name == "block_sums") return checkBlockSums(work, buffers, reference.elementsPerBlock);
  if (name == "block_scan") return checkBlockScan(work, buffers, reference.elementsPerBlock);
  if (name == "convolution") return checkConvolution(work, buffers);
  return requestError(
      "the front matter names an unknown reference '" + name +
      "'; choose matmul, matmul_tf32, sum, transpose, block_sums, block_scan or convolution");
}

}  // namespace

Result<Check> checkOutputs(const Reference& reference, const std::vector<Operand>& operands,
                           const std::vector<std::vector<std::byte>>& outputs, uint64_t seed,
                           uint64_t unwritten, const device::Cancelled& cancelled) {
  if (outputs.size() != operands.size()) return workError("the outputs were not returned");
  const Work work{operands, outputs, seed, cancelled};
  Result<Check> check = compare(reference, work);
  if (!check) return check;
  check->unwritten = unwritten;
  if (!reference.name.empty()) {
    const Result<uint64_t> nonFinite = countNonFinite(work);
    if (!nonFinite) return nonFinite.error();
    check->nonFinite = *nonFinite;
  }
  check->ok = unwritten == 0 && check->nonFinite == 0 && check->scaledError <= check->bound;
  // JSON has no infinity.
  check->scaledError = std::min(check->scaledError, std::numeric_limits<double>::max());
  return check;
}

}  // namespace tilestep::lab
