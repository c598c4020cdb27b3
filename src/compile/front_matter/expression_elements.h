// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tilestep::compile {

constexpr double kLargestWhole = 9007199254740992.0;  ///< 2^53: doubles are exact up to here.

/// The first error of an evaluation.
struct ExpressionFault {
  enum class Kind : uint8_t { none, notWhole, zeroDivisor, negativeRoot, stopped };
  Kind kind = Kind::none;
  const char* function = "";  ///< Whose argument is wrong.

  [[nodiscard]] bool occurred() const { return kind != Kind::none; }
  /// Keeps the first error.
  void set(Kind newKind, const char* newFunction) {
    if (!occurred()) *this = {newKind, newFunction};
  }
  /// "ceildiv divides by zero"
  [[nodiscard]] std::string text() const;
};

/// Polls every few thousand elements whether to stop.
class ExpressionPatience {
 public:
  std::function<bool()> stopped;

  /// False, with a fault, if the evaluation must stop.
  bool spend(ExpressionFault& fault) {
    constexpr uint64_t kElements = 4096;
    if (++spent_ % kElements != 0 || !stopped || !stopped()) return true;
    fault.set(ExpressionFault::Kind::stopped, "");
    return false;
  }

 private:
  uint64_t spent_ = 0;
};

/// The elements of a buffer, and the functions of them. These return 0 after a fault. Sums and
/// counts are stored at the first use.
class ExpressionElements {
 public:
  ExpressionElements() = default;
  /// `patience` must outlive this object.
  ExpressionElements(std::vector<double> values, ExpressionPatience& patience)
      : values_(std::move(values)), patience_(&patience) {}

  double at(double index, ExpressionFault& fault) const;
  double sum(double first, double end, ExpressionFault& fault);
  double largest(double first, double end, ExpressionFault& fault) const;
  double smallest(double first, double end, ExpressionFault& fault) const;
  double count(double divisor, double remainder, ExpressionFault& fault);

 private:
  /// counts[r] is the number of elements with remainder r.
  struct Remainders {
    int64_t divisor = 1;
    std::vector<uint32_t> counts;
  };

  [[nodiscard]] std::pair<size_t, size_t> range(double first, double end, const char* function,
                                                ExpressionFault& fault) const;
  template <class IsBetter>
  double best(double first, double end, const char* function, IsBetter isBetter,
              ExpressionFault& fault) const;
  void addSums(ExpressionFault& fault);
  const Remainders* remaindersOf(int64_t divisor, size_t most, ExpressionFault& fault);

  std::vector<double> values_;
  ExpressionPatience* patience_ = nullptr;
  std::vector<double> sums_;            ///< sums_[i] is the sum of the first i elements.
  std::vector<Remainders> remainders_;  ///< For the most recent divisors.
};

/// The whole number `value`. A fault and 0 if it is not whole or its magnitude exceeds 2^53.
inline int64_t wholeNumber(double value, const char* function, ExpressionFault& fault) {
  if (std::fabs(value) <= kLargestWhole) {
    const auto whole = static_cast<int64_t>(value);
    if (static_cast<double>(whole) == value) return whole;
  }
  fault.set(ExpressionFault::Kind::notWhole, function);
  return 0;
}

/// Like wholeNumber(). A fault and 1 if it is 0.
inline int64_t wholeDivisor(double value, const char* function, ExpressionFault& fault) {
  const int64_t whole = wholeNumber(value, function, fault);
  if (whole != 0) return whole;
  fault.set(ExpressionFault::Kind::zeroDivisor, function);
  return 1;
}

}  // namespace tilestep::compile
