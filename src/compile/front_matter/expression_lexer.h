// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "compile/front_matter/expression_program.h"

namespace tilestep::compile {

struct ExpressionOperator {
  std::string_view text;
  ExpressionOp op;
  int precedence;
};

// A sign is weaker than ^ and stronger than all others: -2^2 is -4.
constexpr int kLeastPrecedence = 1, kPowerPrecedence = 6;

struct ExpressionToken {
  enum class Kind : uint8_t { end, number, name, binary, other, wrong };
  Kind kind = Kind::end;
  std::string_view text;  ///< A part of the lexer's text. If `other`, one of ( ) , ? : =
  size_t at = 0;          ///< The position of its first byte.
  double number = 0;
  const ExpressionOperator* binary = nullptr;
  const char* why = "";  ///< If `wrong`: "is not a number"
};

/// Splits an expression into tokens. Blanks only separate them.
class ExpressionLexer {
 public:
  /// The text must outlive this object and its tokens.
  explicit ExpressionLexer(std::string_view text) : text_(text) {}

  /// After the last token, always `end`.
  ExpressionToken next();

  /// "character 3" for a position in bytes, counted from 1.
  [[nodiscard]] std::string place(size_t at) const;

 private:
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace tilestep::compile
