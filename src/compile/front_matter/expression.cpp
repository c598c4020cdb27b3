// SPDX-License-Identifier: Apache-2.0
#include "compile/front_matter/expression.h"

#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <utility>

#include "base/nearest_name.h"

namespace tilestep::compile {
namespace {

constexpr double kLargest = 9007199254740992.0;  // 2^53: doubles are exact integers up to here.
constexpr size_t kLongest = 500;
constexpr const char* kNameCharacters =
    "0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::array kFunctions{"min", "max", "ceildiv", "floordiv", "isqrt"};

int64_t whole(double value, const char* function) {
  if (!(std::fabs(value) <= kLargest) || value != std::floor(value)) {
    throw mu::ParserError(std::string(function) + " accepts whole numbers up to 2^53");
  }
  return static_cast<int64_t>(value);
}

int64_t divisorOf(double value, const char* function) {
  const int64_t by = whole(value, function);
  if (by == 0) throw mu::ParserError(std::string(function) + " divides by zero");
  return by;
}

double floorDivide(double a, double b) {
  const int64_t x = whole(a, "floordiv"), y = divisorOf(b, "floordiv");
  const int64_t quotient = x / y - (x % y != 0 && (x < 0) != (y < 0) ? 1 : 0);
  return static_cast<double>(quotient);
}

double ceilDivide(double a, double b) {
  const int64_t x = whole(a, "ceildiv"), y = divisorOf(b, "ceildiv");
  const int64_t quotient = x / y + (x % y != 0 && (x < 0) == (y < 0) ? 1 : 0);
  return static_cast<double>(quotient);
}

double remainderOf(double a, double b) {
  return static_cast<double>(whole(a, "%") % divisorOf(b, "%"));
}

double integerRoot(double a) {
  const int64_t x = whole(a, "isqrt");
  if (x < 0) throw mu::ParserError("isqrt does not accept negative numbers");
  auto root = static_cast<int64_t>(std::sqrt(static_cast<double>(x)));
  while (root * root > x) --root;
  while ((root + 1) * (root + 1) <= x) ++root;
  return static_cast<double>(root);
}

/// Thrown if the caller stops an evaluation.
struct Stopped {};

/// Polls every few thousand elements whether to stop.
class Patience {
 public:
  std::function<bool()> stopped;

  void spend() {
    constexpr uint64_t kElements = 4096;
    if (++spent_ % kElements == 0 && stopped && stopped()) throw Stopped();
  }

 private:
  uint64_t spent_ = 0;
};

/// counts[r] is the number of elements with remainder r.
struct Remainders {
  int64_t divisor = 1;
  std::vector<uint32_t> counts;
};

/// The data for functions of elements. `sums` and `remainders` are filled at the first use.
struct Elements {
  std::vector<double> values;
  Patience* patience = nullptr;
  std::vector<double> sums;            ///< sums[i] is the sum of the first i elements.
  std::vector<Remainders> remainders;  ///< For the most recent divisors.
};

double elementAt(void* data, double index) {
  const auto& values = static_cast<Elements*>(data)->values;
  const int64_t i = whole(index, "an element's index");
  return i >= 0 && static_cast<uint64_t>(i) < values.size() ? values[static_cast<size_t>(i)] : 0;
}

double sumBetween(void* data, double first, double end) {
  auto& elements = *static_cast<Elements*>(data);
  if (elements.sums.empty()) {
    elements.sums.reserve(elements.values.size() + 1);
    elements.sums.push_back(0);
    try {
      for (const double value : elements.values) {
        elements.patience->spend();
        elements.sums.push_back(elements.sums.back() + value);
      }
    } catch (const Stopped&) {
      elements.sums.clear();
      throw;
    }
  }
  const auto size = static_cast<int64_t>(elements.values.size());
  const int64_t from = std::clamp<int64_t>(whole(first, "sum"), 0, size);
  const int64_t to = std::clamp<int64_t>(whole(end, "sum"), from, size);
  return elements.sums[static_cast<size_t>(to)] - elements.sums[static_cast<size_t>(from)];
}

/// The best of the elements [first, end) according to `isBetter`; 0 if the range is empty.
template <class IsBetter>
double bestBetween(void* data, double first, double end, const char* name, IsBetter isBetter) {
  auto& elements = *static_cast<Elements*>(data);
  const auto size = static_cast<int64_t>(elements.values.size());
  const int64_t from = std::clamp<int64_t>(whole(first, name), 0, size);
  const int64_t to = std::clamp<int64_t>(whole(end, name), from, size);
  if (from == to) return 0;
  double best = elements.values[static_cast<size_t>(from)];
  for (int64_t i = from + 1; i < to; ++i) {
    elements.patience->spend();
    const double value = elements.values[static_cast<size_t>(i)];
    if (isBetter(value, best)) best = value;
  }
  return best;
}

double maximumBetween(void* data, double first, double end) {
  return bestBetween(data, first, end, "max", std::greater<>());
}

double minimumBetween(void* data, double first, double end) {
  return bestBetween(data, first, end, "min", std::less<>());
}

int64_t remainderFrom0(double value, int64_t divisor) {
  const int64_t rest = whole(value, "count") % divisor;
  return rest < 0 ? rest + std::abs(divisor) : rest;
}

/// The remainders for a divisor up to `most`. Caches a few tables of at most 2 * `most` counts.
const Remainders& remaindersOf(Elements& elements, int64_t divisor, size_t most) {
  constexpr size_t kTables = 8;
  std::vector<Remainders>& tables = elements.remainders;
  const auto kept = std::ranges::find(tables, divisor, &Remainders::divisor);
  if (kept != tables.end()) return *kept;
  Remainders made{divisor, std::vector<uint32_t>(static_cast<size_t>(std::abs(divisor)))};
  for (const double value : elements.values) {
    elements.patience->spend();
    ++made.counts[static_cast<size_t>(remainderFrom0(value, divisor))];
  }
  size_t counts = made.counts.size();
  for (const Remainders& table : tables) counts += table.counts.size();
  while (!tables.empty() && (tables.size() >= kTables || counts > 2 * most)) {
    counts -= tables.front().counts.size();
    tables.erase(tables.begin());
  }
  return tables.emplace_back(std::move(made));
}

double countOf(void* data, double by, double remainder) {
  auto& elements = *static_cast<Elements*>(data);
  const int64_t divisor = divisorOf(by, "count"), wanted = whole(remainder, "count");
  // If the table would be longer than this, the elements are counted anew each time.
  constexpr size_t kAlways = size_t{1} << 16;
  const size_t most = std::max(elements.values.size(), kAlways);
  if (static_cast<uint64_t>(std::abs(divisor)) <= most) {
    const std::vector<uint32_t>& counts = remaindersOf(elements, divisor, most).counts;
    const bool isOne = wanted >= 0 && static_cast<uint64_t>(wanted) < counts.size();
    return isOne ? counts[static_cast<size_t>(wanted)] : 0;
  }
  double count = 0;
  for (const double value : elements.values) {
    elements.patience->spend();
    count += remainderFrom0(value, divisor) == wanted ? 1 : 0;
  }
  return count;
}

// A muParser that has only our functions.
class Grammar : public mu::Parser {
 public:
  Grammar(std::map<std::string, double>& names, std::map<std::string, Elements>& elements) {
    ClearFun();
    ClearConst();
    DefineNameChars(kNameCharacters);
    DefineFun(
        "min", +[](double a, double b) { return std::min(a, b); });
    DefineFun(
        "max", +[](double a, double b) { return std::max(a, b); });
    DefineFun("floordiv", floorDivide);
    DefineFun("ceildiv", ceilDivide);
    DefineFun("isqrt", integerRoot);
    DefineOprt("%", remainderOf, mu::prMUL_DIV);
    for (auto& [name, value] : names) DefineVar(name, &value);
    for (auto& [name, of] : elements) {
      if (names.contains(name)) continue;
      DefineFunUserData(name, elementAt, &of);
      DefineFunUserData(name + ".sum", sumBetween, &of);
      DefineFunUserData(name + ".count", countOf, &of);
      DefineFunUserData(name + ".max", maximumBetween, &of);
      DefineFunUserData(name + ".min", minimumBetween, &of);
    }
  }
};

// muParser also accepts assignments, `a = 1`.
bool assigns(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const char before = i > 0 ? text[i - 1] : ' ';
    if (i + 1 < text.size() && text[i + 1] == '=') {
      ++i;
    } else if (before != '<' && before != '>' && before != '!') {
      return true;
    }
  }
  return false;
}

std::string quoted(const std::string& expression) {
  return "'" + expression.substr(0, 100) + (expression.size() > 100 ? "…'" : "'");
}

Error stoppedError(const std::string& expression) {
  return workError("evaluating the expression " + quoted(expression) + " was stopped");
}

std::string textOf(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

struct Evaluator::State {
  Patience patience;
  std::map<std::string, double> names;  // Parsers point to the values, whose addresses are stable.
  std::map<std::string, Elements> elements;
  std::map<std::string, std::unique_ptr<Grammar>> parsed;

  Grammar& grammar(const std::string& expression) {
    std::unique_ptr<Grammar>& slot = parsed[expression];
    if (!slot) {
      slot = std::make_unique<Grammar>(names, elements);
      slot->SetExpr(expression);
    }
    return *slot;
  }

  Error unreadable(const std::string& expression, const mu::ParserError& problem) const {
    const std::string& token = problem.GetToken();
    if (problem.GetCode() == mu::ecUNASSIGNABLE_TOKEN && isIdentifier(token)) {
      std::vector<std::string> known;
      for (const auto& [name, value] : names) known.push_back(name);
      return requestError(token + " in " + quoted(expression) +
                          " is not a size, tunable or limit; the nearest name is " +
                          nearestName(token, known));
    }
    std::string why = problem.GetMsg();
    while (!why.empty() && (why.back() == '.' || why.back() == '\n')) why.pop_back();
    return requestError("the expression " + quoted(expression) + " cannot be evaluated: " + why);
  }
};

Evaluator::Evaluator() : state_(std::make_unique<State>()) {}
Evaluator::~Evaluator() = default;

void Evaluator::set(const std::string& name, int64_t value) {
  setNumber(name, static_cast<double>(value));
}

void Evaluator::setNumber(const std::string& name, double value) {
  state_->names[name] = value;
}

void Evaluator::setElements(const std::string& name, std::vector<double> elements) {
  state_->elements[name] = {std::move(elements), &state_->patience, {}, {}};
}

void Evaluator::stopWhen(std::function<bool()> stopped) {
  state_->patience.stopped = std::move(stopped);
}

Result<double> Evaluator::number(const std::string& expression) {
  if (expression.size() > kLongest) {
    return requestError("the expression " + quoted(expression) + " is too long; at most " +
                        std::to_string(kLongest) + " characters are accepted");
  }
  if (assigns(expression)) {
    return requestError("the expression " + quoted(expression) + " assigns; write == to compare");
  }
  // Most expressions are just a name, and looking it up is faster than creating a parser.
  if (const auto name = state_->names.find(expression); name != state_->names.end())
    return name->second;
  try {
    Grammar& grammar = state_->grammar(expression);
    const double value = grammar.Eval();
    if (grammar.GetNumResults() != 1) {
      return requestError("the expression " + quoted(expression) + " has several values");
    }
    if (!std::isfinite(value)) {
      return requestError("the expression " + quoted(expression) +
                          " has no finite value: it divides by zero or grows too large");
    }
    return value;
  } catch (const mu::ParserError& problem) {
    return state_->unreadable(expression, problem);
  } catch (const Stopped&) {
    return stoppedError(expression);
  }
}

Result<int64_t> Evaluator::integer(const std::string& expression) {
  Result<double> value = number(expression);
  if (!value) return std::move(value).error();
  if (std::fabs(*value) > kLargest) {
    return requestError("the expression " + quoted(expression) + " is larger than 2^53");
  }
  if (*value != std::floor(*value)) {
    return requestError("the expression " + quoted(expression) + " is " + textOf(*value) +
                        ", not a whole number; use ceildiv or floordiv");
  }
  return static_cast<int64_t>(*value);
}

Status Evaluator::check(const std::string& expression) {
  if (expression.size() > kLongest || assigns(expression)) {
    return number(expression).error();
  }
  try {
    state_->grammar(expression).Eval();
    return {};
  } catch (const mu::ParserError& problem) {
    // Errors without a code come from our functions and are about values.
    if (problem.GetCode() == mu::ecUNDEFINED) return {};
    return state_->unreadable(expression, problem);
  } catch (const Stopped&) {
    return stoppedError(expression);
  }
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
  return std::find(kFunctions.begin(), kFunctions.end(), name) != kFunctions.end();
}

}  // namespace tilestep::compile
