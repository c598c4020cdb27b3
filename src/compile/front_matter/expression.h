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

/// Works out front matter's expressions: + - * / % ^, comparisons, && || ?:, min, max, ceildiv,
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
  /// The same with a fraction; a dotted name ("naive.sizes.k") is one name, too.
  void setNumber(const std::string& name, double value);
  /// Adds functions of these elements: NAME(i) is element i, and 0 where there is none;
  /// NAME.sum(FIRST, END) adds elements [FIRST, END), and NAME.max and NAME.min give the largest
  /// and the smallest of them, 0 where there are none; NAME.count(DIVISOR, REMAINDER) counts the
  /// elements that leave this remainder, between 0 and DIVISOR. A name that has a value stays that.
  void setElements(const std::string& name, std::vector<double> elements);
  /// Asked every few thousand elements that a function of elements goes through; once it is true,
  /// the evaluation is an Error of the work.
  void stopWhen(std::function<bool()> stopped);

  /// A finite number.
  Result<double> number(const std::string& expression);
  /// A whole number of at most 2^53 in size.
  Result<int64_t> integer(const std::string& expression);
  /// Grammar and names only: the value may be anything (a division by zero, a fraction).
  Status check(const std::string& expression);

  /// `text` with each {EXPRESSION} replaced by its value; left as it is where that fails.
  std::string expand(const std::string& text);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Names that expressions keep for their functions.
[[nodiscard]] bool isFunctionName(std::string_view name);

}  // namespace tilestep::compile
