// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "compile/front_matter/expression_elements.h"

namespace tilestep::compile {

/// Parts of an expression within one another: parentheses, arguments, the right sides of operators
/// and the values of ?:. Also the largest number of values on the stack.
constexpr size_t kMostNestedParts = 128;

enum class ExpressionOp : uint8_t {
  number,  ///< Pushes ExpressionStep::number.
  value,   ///< Pushes *ExpressionStep::value.
  // These replace one or two values by their result.
  negate,
  add,
  subtract,
  multiply,
  divide,
  remainder,
  power,
  less,
  lessOrEqual,
  greater,
  greaterOrEqual,
  equal,
  notEqual,
  both,
  either,
  minimum,
  maximum,
  ceilDivide,
  floorDivide,
  root,
  // These use ExpressionStep::elements.
  element,
  sum,
  largest,
  smallest,
  count,
  // These continue at ExpressionStep::target.
  jump,
  jumpIfZero,  ///< Removes the value.
};

/// A step of a program. The member that it uses depends on its operation.
struct ExpressionStep {
  explicit ExpressionStep(ExpressionOp operation) : op(operation) {}

  ExpressionOp op;
  union {
    double number = 0;
    const double* value;
    ExpressionElements* elements;
    size_t target;
  };
};

/// An expression in postfix order, with at most kMostNestedParts values on the stack. Its steps
/// point to the values of names and to elements, which must outlive it.
struct ExpressionProgram {
  std::vector<ExpressionStep> steps;
};

/// The expression's value. Meaningless after a fault.
[[nodiscard]] double evaluate(const ExpressionProgram& program, ExpressionFault& fault);

}  // namespace tilestep::compile
