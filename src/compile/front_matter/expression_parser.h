// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>

#include "base/result.h"
#include "compile/front_matter/expression_elements.h"
#include "compile/front_matter/expression_program.h"

namespace tilestep::compile {

/// A function with one argument or two that front matter may call by this name.
struct ExpressionFunction {
  const char* name;
  ExpressionOp op;
  size_t arguments;
};

constexpr std::array kExpressionFunctions{
    ExpressionFunction{"min", ExpressionOp::minimum, 2},
    ExpressionFunction{"max", ExpressionOp::maximum, 2},
    ExpressionFunction{"ceildiv", ExpressionOp::ceilDivide, 2},
    ExpressionFunction{"floordiv", ExpressionOp::floorDivide, 2},
    ExpressionFunction{"isqrt", ExpressionOp::root, 1}};

/// What an expression may use. A value hides elements of the same name.
struct ExpressionNames {
  std::map<std::string, double> values;
  std::map<std::string, ExpressionElements> elements;
};

/// Compiles an expression of at most 500 characters. The program uses `names`, which must outlive
/// it; a value that changes later has its new value in the next evaluation. Errors: wrong syntax,
/// an unknown name, more than 128 nested parts.
Result<ExpressionProgram> parseExpression(const std::string& text, ExpressionNames& names);

/// The text in quotation marks for an error message, shortened if it is long.
[[nodiscard]] std::string quotedExpression(const std::string& text);

/// "the expression 'k /' cannot be evaluated: " and the reason.
[[nodiscard]] Error expressionError(const std::string& text, const std::string& why);

}  // namespace tilestep::compile
