// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "compile/kernel.h"
#include "lab/experiment.h"

/// What a launch seems to compute, by comparing its outputs with operations on its inputs in
/// float64. That is never a verdict: a person says whether the launch is meant to.
namespace tilestep::lab {

/// One buffer of a launch.
struct OperandValues {
  std::vector<double> before;  ///< Empty where the launch read none of it.
  std::vector<double> after;   ///< Empty where it wrote none of it.
  std::vector<bool> written;   ///< By element, where it wrote: whether it wrote that one.
};

struct LaunchValues {
  std::vector<compile::ResolvedOperand> operands;
  std::vector<OperandValues> values;  ///< By operand; empty for numbers.
  Dim3 block;
};

/// An operation, and how the launch's output agrees with it.
struct Operation {
  std::string name;       ///< One of kOperations.
  std::string formula;    ///< In the operands' names: "A · B".
  uint32_t output = 0;    ///< Operand.
  std::string result;     ///< Its name: "C".
  uint64_t elements = 0;  ///< Of the output.
  uint64_t compared = 0, wrong = 0;
  uint64_t telling = 0;  ///< Of the compared ones: all but zeros that are to be zeros.
  std::optional<WrongElement> firstWrong;
  double scaledError = 0;  ///< The largest; 1 is the most that rounding explains.
};

inline constexpr std::string_view kOperations[] = {"product",   "sum",  "transpose",
                                                   "reduction", "scan", "histogram"};

/// Whether nine tenths of the elements that tell something agree with it.
[[nodiscard]] bool agrees(const Operation& operation);

/// The operation that most elements which the launch wrote agree with, at least nine tenths;
/// nothing where there is none, or where the values tell nothing, such as zeros.
[[nodiscard]] std::optional<Operation> recogniseOperation(const LaunchValues& launch);

/// How the launch's output agrees with `name`, however far, in all of its elements; nothing where
/// no operands have the shapes for it.
[[nodiscard]] std::optional<Operation> compareWith(std::string_view name,
                                                   const LaunchValues& launch);

/// How the launch's output agrees with the same operation on the same operands, in the elements
/// that it wrote; nothing where they lack the values.
[[nodiscard]] std::optional<Operation> compareLike(const Operation& operation,
                                                   const LaunchValues& launch);

/// The same as the check of a result.
[[nodiscard]] Check checkOf(const Operation& operation);

/// "C[3][0]", or "sum[5]" where no rows are known.
[[nodiscard]] std::string elementText(const compile::ResolvedOperand& operand, uint64_t element);

/// "318 of 10,000 elements differ from A · B, the first at C[3][0] (…); is it meant to be A · B?"
[[nodiscard]] std::string questionOf(const Operation& operation, const LaunchValues& launch);

}  // namespace tilestep::lab
