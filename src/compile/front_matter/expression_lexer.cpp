// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/expression_lexer.h"

#include <algorithm>
#include <array>

#include "base/number_text.h"

namespace tilestep::compile {
namespace {

// A text is before those that begin it.
constexpr std::array kOperators{ExpressionOperator{"||", ExpressionOp::either, kLeastPrecedence},
                                ExpressionOperator{"&&", ExpressionOp::both, 2},
                                ExpressionOperator{"==", ExpressionOp::equal, 3},
                                ExpressionOperator{"!=", ExpressionOp::notEqual, 3},
                                ExpressionOperator{"<=", ExpressionOp::lessOrEqual, 3},
                                ExpressionOperator{">=", ExpressionOp::greaterOrEqual, 3},
                                ExpressionOperator{"<", ExpressionOp::less, 3},
                                ExpressionOperator{">", ExpressionOp::greater, 3},
                                ExpressionOperator{"+", ExpressionOp::add, 4},
                                ExpressionOperator{"-", ExpressionOp::subtract, 4},
                                ExpressionOperator{"*", ExpressionOp::multiply, 5},
                                ExpressionOperator{"/", ExpressionOp::divide, 5},
                                ExpressionOperator{"%", ExpressionOp::remainder, 5},
                                ExpressionOperator{"^", ExpressionOp::power, kPowerPrecedence}};

bool isOneOf(char c, std::string_view characters) {
  return characters.find(c) != std::string_view::npos;
}

bool isNameCharacter(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

/// The length of the name, or of the rest of a number, at the beginning of `text`.
size_t nameLength(std::string_view text) {
  return static_cast<size_t>(std::ranges::find_if_not(text, isNameCharacter) - text.begin());
}

/// Whether the byte continues a character of UTF-8.
bool isContinuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

ExpressionToken numberAt(std::string_view rest) {
  ExpressionToken token{ExpressionToken::Kind::number, rest};
  const auto read = readDouble(rest.data(), rest.data() + rest.size(), token.number);
  const auto length = static_cast<size_t>(read.ptr - rest.data());
  token.text = rest.substr(0, length + nameLength(rest.substr(length)));
  const bool isWhole = token.text.size() == length;
  if (isWhole && read.ec == std::errc{}) return token;
  token.kind = ExpressionToken::Kind::wrong;
  token.why = isWhole ? "is too large or too small for a number" : "is not a number";
  return token;
}

ExpressionToken tokenAt(std::string_view rest) {
  using Kind = ExpressionToken::Kind;
  if (rest.empty()) return {};
  if (isDigit(rest[0]) || (rest[0] == '.' && rest.size() > 1 && isDigit(rest[1])))
    return numberAt(rest);
  if (isNameCharacter(rest[0])) return {Kind::name, rest.substr(0, nameLength(rest))};
  for (const ExpressionOperator& known : kOperators) {
    if (rest.starts_with(known.text)) return {Kind::binary, known.text, 0, 0, &known};
  }
  if (isOneOf(rest[0], "(),?:=")) return {Kind::other, rest.substr(0, 1)};
  size_t length = 1;
  while (length < rest.size() && isContinuation(rest[length])) ++length;
  return {Kind::wrong, rest.substr(0, length), 0, 0, nullptr, "is not part of an expression"};
}

}  // namespace

ExpressionToken ExpressionLexer::next() {
  while (at_ < text_.size() && isOneOf(text_[at_], " \t\n\r\v\f")) ++at_;
  ExpressionToken token = tokenAt(text_.substr(at_));
  token.at = at_;
  at_ += token.text.size();
  return token;
}

std::string ExpressionLexer::place(size_t at) const {
  const std::string_view before = text_.substr(0, at);
  const auto started = std::ranges::count_if(before, [](char c) { return !isContinuation(c); });
  return "character " + std::to_string(started + 1);
}

}  // namespace tilestep::compile
