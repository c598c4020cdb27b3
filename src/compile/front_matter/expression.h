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

/// Evaluates expressions of front matter. Operators and functions: + - * / % ^, comparisons, && ||
/// ?:, min, max, ceildiv, floordiv, isqrt. Of ?: only the chosen value is evaluated; of && and ||
/// both sides are. Numbers are doubles, so integers beyond 2^53 are an error. An expression has at
/// most 500 characters and 128 nested parts, and is parsed once. Not thread-safe; never throws.
class Evaluator {
 public:
  Evaluator();
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// Adds or changes a name. Add all names before the first evaluation.
  void set(const std::string& name, int64_t value);
  /// Like set(), for any number. The name may contain dots ("naive.sizes.k").
  void setNumber(const std::string& name, double value);
  /// Adds functions of these elements. NAME(i) is element i, or 0 if it does not exist.
  /// NAME.sum(FIRST, END), NAME.max(FIRST, END) and NAME.min(FIRST, END) are the sum, the largest
  /// and the smallest of the elements [FIRST, END), or 0 if the range is empty. NAME.count(DIVISOR,
  /// REMAINDER) counts the elements with this remainder, from 0 to DIVISOR - 1. A value with the
  /// same name takes precedence.
  void setElements(const std::string& name, std::vector<double> elements);
  /// Polls `stopped` every few thousand elements. If it returns true, the result is a work error.
  void stopWhen(std::function<bool()> stopped);

  /// Fails unless the value is finite.
  Result<double> number(const std::string& expression);
  /// Fails unless the value is an integer of magnitude at most 2^53.
  Result<int64_t> integer(const std::string& expression);
  /// Checks only syntax and names; evaluation may still fail, for example by dividing by zero.
  Status check(const std::string& expression);

  /// Replaces each {EXPRESSION} by its value, unless the evaluation fails.
  std::string expand(const std::string& text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Whether `name` is a function in expressions.
[[nodiscard]] bool isFunctionName(std::string_view name);

}  // namespace tilestep::compile
