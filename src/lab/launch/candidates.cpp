// SPDX-License-Identifier: Apache-2.0
#include "lab/launch/candidates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "lab/elements.h"
#include "lab/product_reference.h"

namespace tilestep::lab {
namespace {

using Numbers = std::vector<double>;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
/// The most multiplications for one product. Of a larger product, only some rows are computed.
constexpr double kMostProducts = 1 << 26;
/// Only this many input buffers are tried.
constexpr size_t kMostInputs = 6;

/// The integer whose square is a * b / c, if there is one.
std::optional<uint64_t> side(uint64_t a, uint64_t b, uint64_t c) {
  const double square = static_cast<double>(a) * static_cast<double>(b) / static_cast<double>(c);
  const auto root = static_cast<uint64_t>(std::llround(std::sqrt(square)));
  const bool fits =
      root > 0 && static_cast<double>(root) * static_cast<double>(root) * static_cast<double>(c) ==
                      static_cast<double>(a) * static_cast<double>(b);
  return fits ? std::optional(root) : std::nullopt;
}

/// Whether neighbouring values differ often enough to distinguish operations.
bool isVaried(const Numbers& values) {
  size_t changes = 0;
  for (size_t i = 1; i < values.size(); ++i) changes += values[i] != values[i - 1];
  return 8 * changes >= values.size();
}

class Finder {
 public:
  Finder(const LaunchValues& launch, const std::function<void(const OperationCandidate&)>& visit)
      : launch_(launch), visit_(visit) {
    for (uint32_t i = 0; i < launch.values.size(); ++i) {
      if (!launch.values[i].before.empty() && inputs_.size() < kMostInputs) inputs_.push_back(i);
    }
  }

  void find() {
    for (uint32_t i = 0; i < launch_.values.size(); ++i) {
      if (launch_.values[i].after.empty() || isUnchanged(launch_.values[i])) continue;
      output_ = i;
      for (const uint32_t a : inputs_) {
        for (const uint32_t b : inputs_) {
          if (a == b) continue;
          if (a != output_ && b != output_) products(a, b);
          if (a < b) sum(a, b);
        }
        if (a != output_) products(a, a);
        transpose(a);
        scan(a);
        histogram(a);
        reduction(a);
      }
    }
  }

 private:
  /// Whether nine tenths of the output are unchanged. Rounding may hide any value added to them.
  static bool isUnchanged(const OperandValues& values) {
    size_t same = 0;
    for (size_t i = 0; i < values.before.size(); ++i) same += values.before[i] == values.after[i];
    return 10 * same > 9 * values.after.size();
  }
  [[nodiscard]] const Numbers& in(uint32_t operand) const { return launch_.values[operand].before; }
  [[nodiscard]] uint64_t outputs() const { return launch_.values[output_].after.size(); }
  [[nodiscard]] const std::string& name(uint32_t operand) const {
    return launch_.operands[operand].spec.name;
  }
  [[nodiscard]] ElementType typeOf(uint32_t operand) const {
    return launch_.operands[operand].spec.type;
  }
  /// The output's contents before the launch, if the launch may have added to them.
  [[nodiscard]] const Numbers* old() const {
    const Numbers& before = in(output_);
    const bool adds = std::ranges::any_of(before, [](double value) { return value != 0; });
    return before.empty() || !adds ? nullptr : &before;
  }

  void visit(OperationCandidate candidate) {
    candidate.output = output_;
    visit_(candidate);
    const Numbers* const before = old();
    if (before == nullptr) return;
    for (size_t i = 0; i < candidate.values.size(); ++i) {
      candidate.values[i] += (*before)[i];
      if (!candidate.scale.empty()) candidate.scale[i] += std::fabs((*before)[i]);
    }
    candidate.terms += 1;
    candidate.formula = name(output_) + " + " + candidate.formula;
    visit_(candidate);
  }

  void products(uint32_t a, uint32_t b) {
    const uint64_t x = in(a).size(), y = in(b).size(), z = outputs();
    const auto m = side(x, z, y), k = side(x, y, z), n = side(y, z, x);
    // A sum of one-term products is not a matrix product.
    if (!m || !k || !n || *k < 2 || !isFloatingOrWhole(a, b)) return;
    product(a, b, {*m, *n, *k}, false);
    if (*n > 1 && *k > 1) product(a, b, {*m, *n, *k}, true);
  }
  [[nodiscard]] bool isFloatingOrWhole(uint32_t a, uint32_t b) const {
    return isFloatingPoint(typeOf(a)) == isFloatingPoint(typeOf(output_)) &&
           isFloatingPoint(typeOf(b)) == isFloatingPoint(typeOf(output_));
  }

  void product(uint32_t a, uint32_t b, const ProductShape& shape, bool transposed) {
    const uint64_t step = rowStep(shape, kMostProducts);
    OperationCandidate candidate;
    candidate.name = "product";
    candidate.formula = name(a) + " · " + name(b) + (transposed ? "ᵀ" : "");
    candidate.terms = static_cast<double>(shape.k);
    candidate.tells = isVaried(in(a)) && isVaried(in(b));
    candidate.values.assign(shape.m * shape.n, kNone);
    candidate.scale.assign(shape.m * shape.n, 0);
    const Numbers &left = in(a), &right = in(b);
    for (uint64_t row = 0; row < shape.m; row += step) {
      double* const values = &candidate.values[row * shape.n];
      double* const scale = &candidate.scale[row * shape.n];
      std::fill_n(values, shape.n, 0.0);
      for (uint64_t i = 0; i < shape.k; ++i) {
        const double factor = left[row * shape.k + i];
        for (uint64_t column = 0; column < shape.n; ++column) {
          const uint64_t at = transposed ? column * shape.k + i : i * shape.n + column;
          const double term = factor * right[at];
          values[column] += term;
          scale[column] += std::fabs(term);
        }
      }
    }
    visit(std::move(candidate));
  }

  void sum(uint32_t a, uint32_t b) {
    if (in(a).size() != outputs() || in(b).size() != outputs() || outputs() < 2) return;
    OperationCandidate candidate;
    candidate.name = "sum";
    candidate.formula = name(a) + " + " + name(b);
    candidate.terms = 2;
    candidate.output = output_;
    candidate.tells = isVaried(in(a)) && isVaried(in(b));
    for (uint64_t i = 0; i < outputs(); ++i) {
      candidate.values.push_back(in(a)[i] + in(b)[i]);
      candidate.scale.push_back(std::fabs(in(a)[i]) + std::fabs(in(b)[i]));
    }
    visit_(candidate);
  }

  void transpose(uint32_t a) {
    if (in(a).size() != outputs() || typeOf(a) != typeOf(output_)) return;
    uint64_t rows = launch_.operands[a].rows, columns = launch_.operands[a].columns;
    if (rows * columns != outputs()) rows = columns = side(outputs(), 1, 1).value_or(0);
    if (rows < 2 || columns < 2) return;
    OperationCandidate candidate;
    candidate.name = "transpose";
    candidate.formula = name(a) + "ᵀ";
    candidate.output = output_;
    candidate.values.resize(outputs());
    for (uint64_t row = 0; row < rows; ++row)
      for (uint64_t column = 0; column < columns; ++column)
        candidate.values[column * rows + row] = in(a)[row * columns + column];
    // The transpose of a symmetric matrix looks like a copy.
    candidate.tells = candidate.values != in(a);
    visit_(candidate);
  }

  void scan(uint32_t a) {
    if (in(a).size() != outputs() || outputs() < 3) return;
    for (const uint64_t length : {outputs(), launch_.block.count(), 2 * launch_.block.count()}) {
      if (length < 2 || (length >= outputs() && length != outputs())) continue;
      for (const bool inclusive : {true, false}) {
        OperationCandidate candidate;
        candidate.name = "scan";
        candidate.formula =
            std::string(inclusive ? "the inclusive scan of " : "the exclusive scan of ") + name(a) +
            (length < outputs() ? ", block by block" : "");
        candidate.output = output_;
        candidate.terms = static_cast<double>(length);
        double sum = 0, size = 0;
        for (uint64_t i = 0; i < outputs(); ++i) {
          if (i % length == 0) sum = size = 0;
          const double value = in(a)[i];
          const double before = sum;
          sum += value;
          size += std::fabs(value);
          candidate.values.push_back(inclusive ? sum : before);
          candidate.scale.push_back(size);
        }
        candidate.tells = isVaried(in(a)) && candidate.values != in(a);
        visit_(candidate);
      }
    }
  }

  void histogram(uint32_t a) {
    if (isFloatingPoint(typeOf(a)) || isFloatingPoint(typeOf(output_)) || outputs() < 2 ||
        a == output_)
      return;
    OperationCandidate candidate;
    candidate.name = "histogram";
    candidate.formula = "how often each value occurs in " + name(a);
    candidate.values.assign(outputs(), 0);
    for (const double value : in(a)) {
      if (value < 0 || value >= static_cast<double>(outputs())) return;
      ++candidate.values[static_cast<size_t>(value)];
    }
    visit(std::move(candidate));
  }

  void reduction(uint32_t a) {
    const uint64_t count = in(a).size();
    if (a == output_ || count < 2 * outputs() || outputs() == 0) return;
    const uint64_t threads = launch_.block.count();
    const uint64_t even = (count + outputs() - 1) / outputs();
    std::vector<uint64_t> tried;
    for (const uint64_t length : {even, threads, 2 * threads}) {
      if (length < 2 || length * outputs() < count || std::ranges::count(tried, length) > 0)
        continue;
      tried.push_back(length);
      reduce(
          a, length, " of ", [](double x, double y) { return x + y; }, 0);
      constexpr double kFar = std::numeric_limits<double>::infinity();
      reduce(
          a, length, "the largest", [](double x, double y) { return std::max(x, y); }, -kFar);
      reduce(
          a, length, "the smallest", [](double x, double y) { return std::min(x, y); }, kFar);
    }
  }

  template <class Combine>
  void reduce(uint32_t a, uint64_t length, const std::string& what, Combine combine,
              double neutral) {
    const bool isSum = neutral == 0;
    OperationCandidate candidate;
    candidate.name = "reduction";
    candidate.formula =
        (isSum ? "the sum of " : what + " of ") + name(a) +
        (outputs() > 1 ? ", " + std::to_string(length) + " by " + std::to_string(length) : "");
    candidate.terms = isSum ? static_cast<double>(length) : 1;
    candidate.values.assign(outputs(), neutral);
    if (isSum) candidate.scale.assign(outputs(), 0);
    for (uint64_t i = 0; i < in(a).size(); ++i) {
      double& value = candidate.values[i / length];
      value = combine(value, in(a)[i]);
      if (isSum) candidate.scale[i / length] += std::fabs(in(a)[i]);
    }
    candidate.tells = isVaried(in(a));
    candidate.output = output_;
    if (isSum)
      visit(std::move(candidate));
    else
      visit_(candidate);
  }

  const LaunchValues& launch_;
  const std::function<void(const OperationCandidate&)>& visit_;
  std::vector<uint32_t> inputs_;
  uint32_t output_ = 0;
};

}  // namespace

void eachCandidate(const LaunchValues& launch,
                   const std::function<void(const OperationCandidate&)>& visit) {
  Finder(launch, visit).find();
}

}  // namespace tilestep::lab
