// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/expression_parser.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "compile/front_matter/expression_lexer.h"

namespace tilestep::compile {
namespace {

constexpr size_t kLongestExpression = 500;

/// A Pratt parser. Its functions return false after an error. Each compiles what it reads, so that
/// the value is pushed by the steps that it adds.
class ExpressionParser {
 public:
  ExpressionParser(const std::string& text, ExpressionNames& names)
      : text_(text), names_(names), lexer_(text) {}
  Result<ExpressionProgram> parse();

 private:
  struct Called {
    ExpressionOp op;
    size_t arguments;
    ExpressionElements* elements;  ///< Null if it is not a function of elements.
  };

  using Kind = ExpressionToken::Kind;

  bool next();
  bool choice();
  bool binary(int least);
  bool operand();
  bool close(size_t open);
  bool name();
  bool call(const ExpressionToken& function, const Called& called);
  std::optional<Called> calledBy(const std::string& name);
  bool fail(const std::string& why);
  bool stray(const std::string& unfinished);
  bool unknown(const ExpressionToken& token);
  [[nodiscard]] std::string shown(const ExpressionToken& token) const;

  /// Whether the token is this one of ( ) , ? : =
  [[nodiscard]] bool is(char other) const {
    return token_.kind == Kind::other && token_.text.front() == other;
  }
  /// Returns the index of the new step.
  size_t add(ExpressionOp op) {
    steps_.emplace_back(op);
    return steps_.size() - 1;
  }
  ExpressionStep& push(ExpressionOp op) {
    ++pending_;
    return steps_.emplace_back(op);
  }

  const std::string& text_;
  ExpressionNames& names_;
  std::vector<ExpressionStep> steps_;
  std::optional<Error> error_;
  ExpressionLexer lexer_;
  ExpressionToken token_;
  bool isSigned_ = false;  ///< Whether a sign precedes the operand.
  size_t nested_ = 0;      ///< Calls of binary(), and values of ?:, that have not ended.
  size_t pending_ = 0;     ///< Values on the stack.
};

bool ExpressionParser::fail(const std::string& why) {
  error_ = expressionError(text_, why);
  return false;
}

/// "'k' (character 3)"
std::string ExpressionParser::shown(const ExpressionToken& token) const {
  return "'" + std::string(token.text) + "' (" + lexer_.place(token.at) + ")";
}

bool ExpressionParser::next() {
  token_ = lexer_.next();
  if (token_.kind == Kind::wrong) return fail(shown(token_) + " " + token_.why);
  if (!is('=')) return true;
  error_ =
      requestError("the expression " + quotedExpression(text_) + " assigns; write == to compare");
  return false;
}

/// An expression with ?:, to the end or to a token that cannot continue it.
bool ExpressionParser::choice() {
  if (!binary(kLeastPrecedence)) return false;
  if (!is('?')) return true;
  const size_t question = token_.at;
  const size_t branch = add(ExpressionOp::jumpIfZero);
  --pending_;
  ++nested_;
  if (!next() || !choice()) return false;
  if (!is(':')) return stray("the ? at " + lexer_.place(question) + " has no :");
  const size_t jump = add(ExpressionOp::jump);
  --pending_;  // Only one of the two values is pushed.
  steps_[branch].target = steps_.size();
  if (!next() || !choice()) return false;
  steps_[jump].target = steps_.size();
  --nested_;
  return true;
}

/// A value with binary operators of at least this precedence.
bool ExpressionParser::binary(int least) {
  if (++nested_ > kMostNestedParts || pending_ >= kMostNestedParts) {
    return fail("it is nested too deeply; at most " + std::to_string(kMostNestedParts) +
                " nested parts are accepted");
  }
  if (!operand()) return false;
  while (token_.kind == Kind::binary && token_.binary->precedence >= least) {
    const ExpressionOperator& known = *token_.binary;
    const int right =
        known.precedence == kPowerPrecedence ? known.precedence : known.precedence + 1;
    if (!next() || !binary(right)) return false;
    add(known.op);
    --pending_;
  }
  --nested_;
  return true;
}

/// A number, a name, a call or a parenthesis; with a sign before it, up to the end of a power.
bool ExpressionParser::operand() {
  const ExpressionToken token = token_;
  if (!isSigned_ && token.kind == Kind::binary && (token.text == "-" || token.text == "+")) {
    isSigned_ = true;
    if (!next() || !binary(kPowerPrecedence)) return false;
    if (token.text == "-") add(ExpressionOp::negate);
    return true;
  }
  isSigned_ = false;
  switch (token.kind) {
    case Kind::number:
      push(ExpressionOp::number).number = token.number;
      return next();
    case Kind::name:
      return name();
    case Kind::end:
      return fail("a number, a name or ( is missing at the end");
    default:
      break;
  }
  if (!is('(')) return fail("a number, a name or ( is missing before " + shown(token));
  return next() && choice() && close(token.at);
}

bool ExpressionParser::close(size_t open) {
  if (!is(')')) return stray("the ( at " + lexer_.place(open) + " is not closed");
  return next();
}

/// The error if this token follows a complete value.
bool ExpressionParser::stray(const std::string& unfinished) {
  if (token_.kind == Kind::number || token_.kind == Kind::name || is('('))
    return fail("an operator is missing before " + shown(token_));
  if (is(',')) return fail(shown(token_) + " is not between the arguments of a function");
  if (!unfinished.empty()) return fail(unfinished);
  return fail(shown(token_) + (is(':') ? " has no ? before it" : " closes no parenthesis"));
}

bool ExpressionParser::name() {
  const ExpressionToken token = token_;
  const std::string name(token.text);
  if (!next()) return false;
  const auto value = names_.values.find(name);
  const std::optional<Called> called = calledBy(name);
  if (is('(')) {
    if (called) return call(token, *called);
    return value == names_.values.end() ? unknown(token) : fail(shown(token) + " is no function");
  }
  if (value != names_.values.end()) {
    push(ExpressionOp::value).value = &value->second;
    return true;
  }
  if (called) return fail(shown(token) + " is a function; write " + name + "(...)");
  return unknown(token);
}

bool ExpressionParser::unknown(const ExpressionToken& token) {
  const std::string name(token.text);
  if (!isIdentifier(name)) return fail("there is no value " + shown(token));
  std::vector<std::string> known;
  for (const auto& [one, value] : names_.values) known.push_back(one);
  error_ =
      requestError(name + " in " + quotedExpression(text_) + " is not a size, tunable or limit" +
                   (known.empty() ? "" : "; the nearest name is " + nearestName(name, known)));
  return false;
}

/// The function of this name.
std::optional<ExpressionParser::Called> ExpressionParser::calledBy(const std::string& name) {
  constexpr std::array kMembers{ExpressionFunction{"sum", ExpressionOp::sum, 2},
                                ExpressionFunction{"max", ExpressionOp::largest, 2},
                                ExpressionFunction{"min", ExpressionOp::smallest, 2},
                                ExpressionFunction{"count", ExpressionOp::count, 2}};
  const auto elementsOf = [&](const std::string& of) -> ExpressionElements* {
    const auto found = names_.elements.find(of);
    return found == names_.elements.end() || names_.values.contains(of) ? nullptr : &found->second;
  };
  if (auto* elements = elementsOf(name)) return Called{ExpressionOp::element, 1, elements};
  const size_t dot = name.rfind('.');
  if (dot == std::string::npos) {
    const auto known = std::ranges::find(kExpressionFunctions, name, &ExpressionFunction::name);
    if (known == kExpressionFunctions.end()) return std::nullopt;
    return Called{known->op, known->arguments, nullptr};
  }
  const auto known = std::ranges::find(kMembers, name.substr(dot + 1), &ExpressionFunction::name);
  auto* elements = elementsOf(name.substr(0, dot));
  if (known == kMembers.end() || elements == nullptr) return std::nullopt;
  return Called{known->op, known->arguments, elements};
}

/// The call of a function, from the parenthesis after its name.
bool ExpressionParser::call(const ExpressionToken& function, const Called& called) {
  const size_t open = token_.at;
  size_t arguments = 0;
  if (!next()) return false;
  while (!is(')') || arguments > 0) {
    if (!choice()) return false;
    ++arguments;
    if (!is(',')) break;
    if (!next()) return false;
  }
  if (!close(open)) return false;
  if (arguments != called.arguments) {
    return fail(shown(function) + " takes " + std::to_string(called.arguments) +
                (called.arguments == 1 ? " argument, not " : " arguments, not ") +
                std::to_string(arguments));
  }
  steps_[add(called.op)].elements = called.elements;
  pending_ -= arguments - 1;
  return true;
}

Result<ExpressionProgram> ExpressionParser::parse() {
  if (!next() || !choice() || (token_.kind != Kind::end && !stray(""))) return std::move(*error_);
  return ExpressionProgram{std::move(steps_)};
}

}  // namespace

std::string quotedExpression(const std::string& text) {
  return "'" + text.substr(0, 100) + (text.size() > 100 ? "…'" : "'");
}

Error expressionError(const std::string& text, const std::string& why) {
  return requestError("the expression " + quotedExpression(text) + " cannot be evaluated: " + why);
}

Result<ExpressionProgram> parseExpression(const std::string& text, ExpressionNames& names) {
  if (text.size() > kLongestExpression) {
    return requestError("the expression " + quotedExpression(text) + " is too long; at most " +
                        std::to_string(kLongestExpression) + " characters are accepted");
  }
  return ExpressionParser(text, names).parse();
}

}  // namespace tilestep::compile
