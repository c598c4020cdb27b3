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

/// Finds the operation that a launch seems to compute, by comparing its outputs with operations on
/// its inputs in float64. The finding is never a verdict: the user decides whether it was intended.
namespace tilestep::lab {

struct OperandValues {
  std::vector<double> before;  ///< Empty if the launch did not read the buffer.
  std::vector<double> after;   ///< Empty if the launch did not write the buffer.
  std::vector<bool> written;   ///< Per element of a written buffer: whether it was written.
};

struct LaunchValues {
  std::vector<compile::ResolvedOperand> operands;
  std::vector<OperandValues> values;  ///< One per operand; empty for numbers.
  Dim3 block;
};

/// An operation, and how well the launch's output agrees with it.
struct Operation {
  std::string name;       ///< One of kOperations.
  std::string formula;    ///< With the operands' names: "A · B".
  uint32_t output = 0;    ///< Index of the output operand.
  std::string result;     ///< Name of the output operand: "C".
  uint64_t elements = 0;  ///< Elements of the output.
  uint64_t compared = 0, wrong = 0;
  /// Compared elements that count as evidence: those whose expected value is not 0.
  uint64_t telling = 0;
  std::optional<WrongElement> firstWrong;
  double scaledError = 0;  ///< The largest error; 1 is the largest that rounding explains.
};

inline constexpr std::string_view kOperations[] = {"product",   "sum",  "transpose",
                                                   "reduction", "scan", "histogram"};

/// Whether nine tenths of the elements that count as evidence agree with the operation.
[[nodiscard]] bool agrees(const Operation& operation);

/// The operation that agrees with the most written elements, at least nine tenths of them. Nothing
/// if there is no such operation, or if the values are no evidence, such as zeros.
[[nodiscard]] std::optional<Operation> recogniseOperation(const LaunchValues& launch);

/// Compares all elements of the launch's output with operation `name`, however few agree. Nothing
/// if no operands have suitable shapes.
[[nodiscard]] std::optional<Operation> compareWith(std::string_view name,
                                                   const LaunchValues& launch);

/// Compares the written elements of the launch's output with the same operation on the same
/// operands. Nothing if their values are missing.
[[nodiscard]] std::optional<Operation> compareLike(const Operation& operation,
                                                   const LaunchValues& launch);

[[nodiscard]] Check checkOf(const Operation& operation);

/// "C[3][0]", or "sum[5]" if the rows are unknown.
[[nodiscard]] std::string elementText(const compile::ResolvedOperand& operand, uint64_t element);

/// "318 of 10,000 elements differ from A · B, the first at C[3][0] (…); is it meant to be A · B?"
[[nodiscard]] std::string questionOf(const Operation& operation, const LaunchValues& launch);

}  // namespace tilestep::lab
