// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/expression.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "compile/front_matter/expression_parser.h"

namespace tilestep::compile {
namespace {

std::string textOf(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

Error evaluationError(const std::string& expression, const ExpressionFault& fault) {
  if (fault.kind == ExpressionFault::Kind::stopped) {
    return workError("evaluating the expression " + quotedExpression(expression) + " was stopped");
  }
  return expressionError(expression, fault.text());
}

}  // namespace

struct Evaluator::State {
  ExpressionPatience patience;
  ExpressionNames names;
  std::map<std::string, ExpressionProgram> parsed;
  /// The expression of the last evaluation, which is usually evaluated many times.
  const std::pair<const std::string, ExpressionProgram>* last = nullptr;

  /// Makes `expression` the last one.
  Status choose(const std::string& expression) {
    auto known = parsed.find(expression);
    if (known == parsed.end()) {
      Result<ExpressionProgram> program = parseExpression(expression, names);
      if (!program) return std::move(program).error();
      known = parsed.emplace(expression, std::move(*program)).first;
    }
    last = &*known;
    return {};
  }
};

Evaluator::Evaluator() : state_(std::make_unique<State>()) {}
Evaluator::~Evaluator() = default;

void Evaluator::set(const std::string& name, int64_t value) {
  setNumber(name, static_cast<double>(value));
}

void Evaluator::setNumber(const std::string& name, double value) {
  state_->names.values[name] = value;
}

void Evaluator::setElements(const std::string& name, std::vector<double> elements) {
  state_->names.elements[name] = ExpressionElements(std::move(elements), state_->patience);
}

void Evaluator::stopWhen(std::function<bool()> stopped) {
  state_->patience.stopped = std::move(stopped);
}

Result<double> Evaluator::number(const std::string& expression) {
  if (state_->last == nullptr || state_->last->first != expression) {
    // Most expressions are just a name, and looking it up is faster than parsing.
    const auto& values = state_->names.values;
    if (const auto name = values.find(expression); name != values.end()) return name->second;
    if (Status chosen = state_->choose(expression); !chosen) return std::move(chosen).error();
  }
  ExpressionFault fault;
  const double value = evaluate(state_->last->second, fault);
  if (fault.occurred()) return evaluationError(expression, fault);
  if (!std::isfinite(value)) {
    return requestError("the expression " + quotedExpression(expression) +
                        " has no finite value: it divides by zero or grows too large");
  }
  return value;
}

Result<int64_t> Evaluator::integer(const std::string& expression) {
  Result<double> value = number(expression);
  if (!value) return std::move(value).error();
  if (std::fabs(*value) > kLargestWhole) {
    return requestError("the expression " + quotedExpression(expression) + " is larger than 2^53");
  }
  if (*value != std::floor(*value)) {
    return requestError("the expression " + quotedExpression(expression) + " is " + textOf(*value) +
                        ", not a whole number; use ceildiv or floordiv");
  }
  return static_cast<int64_t>(*value);
}

Status Evaluator::check(const std::string& expression) {
  return state_->choose(expression);
}

std::string Evaluator::expand(const std::string& text) {
  std::string result;
  size_t at = 0;
  while (at < text.size()) {
    const size_t open = text.find('{', at);
    const size_t close = open == std::string::npos ? open : text.find('}', open);
    if (close == std::string::npos) break;
    result += text.substr(at, open - at);
    const Result<double> value = number(text.substr(open + 1, close - open - 1));
    result += value ? textOf(*value) : text.substr(open, close - open + 1);
    at = close + 1;
  }
  return result + text.substr(std::min(at, text.size()));
}

bool isFunctionName(std::string_view name) {
  return std::ranges::find(kExpressionFunctions, name, &ExpressionFunction::name) !=
         kExpressionFunctions.end();
}

}  // namespace tilestep::compile
