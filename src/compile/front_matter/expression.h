// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tilestep::compile {

/// Evaluates front matter's expressions: + - * / % ^, comparisons, && || ?:, min, max, ceildiv,
/// floordiv, isqrt, over names with integer values. Numbers are doubles inside (muParser), so an
/// integer beyond 2^53 is an error. Parses each text once. Not thread-safe; never throws.
class Evaluator {
 public:
  Evaluator();
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// Adds or changes a name. Add all names before the first evaluation.
  void set(const std::string& name, int64_t value);
  /// The same for a non-integer value; a dotted name ("naive.sizes.k") is also one name.
  void setNumber(const std::string& name, double value);
  /// Adds functions of these elements. NAME(i) is element i, or 0 if there is none; NAME.sum(FIRST,
  /// END) is the sum of elements [FIRST, END), and NAME.max and NAME.min are the largest and the
  /// smallest of them, or 0 if there are none; NAME.count(DIVISOR, REMAINDER) counts the elements
  /// with this remainder in 0 to DIVISOR - 1. An existing value of the name takes precedence.
  void setElements(const std::string& name, std::vector<double> elements);
  /// Polled every few thousand elements; once it returns true, the evaluation fails with an Error
  /// of kind work.
  void stopWhen(std::function<bool()> stopped);

  /// A finite number.
  Result<double> number(const std::string& expression);
  /// A whole number of magnitude at most 2^53.
  Result<int64_t> integer(const std::string& expression);
  /// Checks grammar and names only: evaluation may still fail (a division by zero, a fraction).
  Status check(const std::string& expression);

  /// `text` with each {EXPRESSION} replaced by its value, or unchanged if that fails.
  std::string expand(const std::string& text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether the name is reserved for a function.
[[nodiscard]] bool isFunctionName(std::string_view name);

}  // namespace tilestep::compile
