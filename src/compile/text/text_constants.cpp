// SPDX-License-Identifier: Apache-2.0
#include "compile/text/text_constants.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "base/number_text.h"
#include "compile/text/cuda_lexer.h"
#include "compile/text/token_ranges.h"

namespace tilestep::compile {
namespace {

constexpr int64_t kLargest = int64_t{1} << 30;

constexpr std::array<std::string_view, 16> kTypes{
    "int",     "unsigned", "long", "short",     "size_t", "auto",      "int32_t", "uint32_t",
    "int64_t", "uint64_t", "uint", "ptrdiff_t", "const",  "constexpr", "static",  "std"};

/// Reads an integer literal, such as "1024", "16u" or "1'000".
std::optional<int64_t> numberIn(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != '\'') digits += c;
  while (!digits.empty() && std::string_view("uUlL").find(digits.back()) != std::string_view::npos)
    digits.pop_back();
  const std::optional<int64_t> value = tilestep::numberIn<int64_t>(digits);
  return value && *value >= 1 && *value <= kLargest ? value : std::nullopt;
}

/// Powers of two for constants of tiles and blocks; nearby values for other constants.
std::vector<int64_t> valuesNear(int64_t value, bool isOfBlock) {
  std::set<int64_t> values{value};
  constexpr int64_t kMostThreads = 1024;
  if (isOfBlock && value <= kMostThreads) {
    for (int64_t each = 1; each <= kMostThreads; each *= 2) values.insert(each);
  } else {
    for (const int64_t each :
         {value / 8, value / 4, value / 2, value - 1, value + 1, 2 * value, 4 * value})
      if (each >= 1 && each <= kLargest) values.insert(each);
  }
  return {values.begin(), values.end()};
}

class ConstantReader {
 public:
  explicit ConstantReader(std::string_view source) : source_(source), tokens_(cudaTokens(source)) {}

  std::vector<TextConstant> read() {
    for (size_t i = 0; i < tokens_.size(); ++i) readAt(i);
    closeRoots();
    std::vector<TextConstant> found;
    for (TextConstant& constant : constants_) {
      const bool isKernels = constant.name.find('<') != std::string::npos;
      if (!isKernels && (!roots_.contains(constant.name) || changed_.contains(constant.name)))
        continue;
      constant.values = valuesNear(constant.value, isKernels || ofBlock_.contains(constant.name));
      found.push_back(std::move(constant));
    }
    std::ranges::sort(found, {},
                      [](const TextConstant& each) { return each.places.front().begin; });
    return found;
  }

 private:
  [[nodiscard]] const CudaToken& at(size_t i) const {
    static const CudaToken kNothing{};
    return i < tokens_.size() ? tokens_[i] : kNothing;
  }
  [[nodiscard]] size_t offsetOf(std::string_view text) const {
    return static_cast<size_t>(text.data() - source_.data());
  }

  void add(const std::string& name, int64_t value, std::string_view text) {
    const size_t begin = offsetOf(text);
    const auto known = std::ranges::find(constants_, name, &TextConstant::name);
    if (known != constants_.end()) {
      // Equal template arguments of several launches, such as "sum<TILE>", are one constant.
      if (name.find('<') != std::string::npos && known->value == value)
        known->places.push_back({begin, begin + text.size()});
      return;
    }
    TextConstant constant;
    constant.name = name;
    constant.value = value;
    constant.line = static_cast<uint32_t>(std::ranges::count(source_.substr(0, begin), '\n')) + 1;
    constant.places = {{begin, begin + text.size()}};
    constants_.push_back(std::move(constant));
  }

  void readAt(size_t i) {
    const CudaToken& token = tokens_[i];
    if (token.kind == CudaToken::Kind::directive) return readDirective(token.text);
    if (token.is("<<<")) return readLaunch(i);
    if (token.is("dim3")) return addWords(i + 1, endOfStatement(i), true);
    if (token.is("__shared__")) return addWords(i + 1, endOfStatement(i), true);
    if (token.kind == CudaToken::Kind::word && token.text.starts_with("cudaMalloc") &&
        at(i + 1).is("("))
      return addWords(i + 1, endOfStatement(i), false);
    const bool isTyped =
        token.kind == CudaToken::Kind::word && i > 0 && at(i + 1).is("=") && isDeclaredAt(i);
    if (isTyped) return readVariable(i);
    if (token.kind == CudaToken::Kind::word && isChangedAt(i)) changed_.emplace(token.text);
  }

  /// Whether the variable is changed, as in "n = 3", "n += 1" or "++n". It is then not a constant.
  [[nodiscard]] bool isChangedAt(size_t i) const {
    constexpr std::string_view kOperators = "+-*/%&|^";
    const CudaToken &one = at(i + 1), &two = at(i + 2);
    if (one.is("=")) return !two.is("=");
    if (one.text.size() != 1 || kOperators.find(one.text) == std::string_view::npos)
      return i > 1 && (at(i - 1).is("+") || at(i - 1).is("-")) && at(i - 1).is(at(i - 2).text);
    return two.is("=") || (two.is(one.text) && (one.is("+") || one.is("-")));
  }

  /// Records a definition. A name defined twice, as in two functions or branches, is no constant.
  void define(const std::string& name) {
    if (!defined_.insert(name).second) changed_.insert(name);
  }

  /// Reads a directive such as "#define TILE 16".
  void readDirective(std::string_view text) {
    const std::vector<CudaToken> words = cudaTokens(text.substr(1));
    if (words.size() < 3 || !words[0].is("define")) return;
    const CudaToken& name = words[1];
    // A macro with parameters is a function.
    const bool isCall =
        words[2].is("(") && words[2].text.data() == name.text.data() + name.text.size();
    if (isCall) return;
    size_t first = 2, end = words.size();
    if (words[first].is("(") && words[end - 1].is(")")) {
      ++first;
      --end;
    }
    const std::vector<CudaToken> value(words.begin() + static_cast<ptrdiff_t>(first),
                                       words.begin() + static_cast<ptrdiff_t>(end));
    readValue(std::string(name.text), value);
  }

  /// Whether the word is a name in a declaration of integers: "int n" or "const int a = 1, b".
  [[nodiscard]] bool isDeclaredAt(size_t i) const {
    for (size_t back = i; back-- > 0;) {
      const CudaToken& before = tokens_[back];
      if (back + 1 == i && before.kind == CudaToken::Kind::word)
        return isOneOf(before.text, kTypes);
      if (before.is(";") || before.is("{") || before.is("}") || before.is("(")) return false;
      if (back + 1 != i || !before.is(",")) continue;
      return isListFrom(back);
    }
    return false;
  }
  /// Whether the comma is in a statement that begins with one of kTypes.
  [[nodiscard]] bool isListFrom(size_t comma) const {
    size_t start = comma;
    while (start > 0 && !tokens_[start - 1].is(";") && !tokens_[start - 1].is("{") &&
           !tokens_[start - 1].is("}"))
      --start;
    return isOneOf(at(start).text, kTypes);
  }

  void readVariable(size_t i) {
    size_t end = i + 2;
    int depth = 0;
    for (; end < tokens_.size(); ++end) {
      if (isOpen(tokens_[end])) ++depth;
      if (isClose(tokens_[end]) && depth-- == 0) break;
      if (depth == 0 && (tokens_[end].is(",") || tokens_[end].is(";"))) break;
    }
    readValue(std::string(tokens_[i].text), slice(tokens_, i + 2, end));
  }

  /// Reads a value: "16", "1 << 20", or an expression of other names.
  void readValue(const std::string& name, const std::vector<CudaToken>& value) {
    define(name);
    for (const CudaToken& token : value)
      if (token.kind == CudaToken::Kind::word) uses_[name].insert(std::string(token.text));
    if (value.empty()) return;
    const std::optional<int64_t> first = numberIn(value.front().text);
    if (!first) return;
    if (value.size() == 1) return add(name, *first, value.front().text);
    const bool isShift = value.size() == 4 && *first == 1 && value[1].is("<") && value[2].is("<");
    const std::optional<int64_t> bits = isShift ? numberIn(value[3].text) : std::nullopt;
    if (!bits || *bits > 30) return;
    const size_t begin = offsetOf(value.front().text);
    const size_t end = offsetOf(value[3].text) + value[3].text.size();
    add(name, int64_t{1} << *bits, source_.substr(begin, end - begin));
  }

  /// Reads the words of a launch, and its template arguments if there are any.
  void readLaunch(size_t i) {
    size_t end = i + 1;
    while (end < tokens_.size() && !tokens_[end].is(">>>") && !tokens_[end].is(";")) ++end;
    addWords(i, end, true);
    addWords(end, endOfStatement(end), false);  // The kernel's arguments.
    if (i == 0 || !tokens_[i - 1].is(">")) return;
    size_t open = i - 1;
    while (open > 0 && !tokens_[open].is("<") && i - open < kLongestAngle) --open;
    if (open == 0 || tokens_[open - 1].kind != CudaToken::Kind::word) return;
    const std::string kernel(tokens_[open - 1].text);
    const std::vector<std::string> names = parametersOf(kernel);
    const std::vector<CudaTokens> arguments = atCommas(slice(tokens_, open + 1, i - 1));
    for (size_t k = 0; k < arguments.size(); ++k) {
      for (const CudaToken& token : arguments[k])
        if (token.kind == CudaToken::Kind::word) addRoot(std::string(token.text), true);
      const std::optional<int64_t> value =
          arguments[k].size() == 1 ? numberIn(arguments[k].front().text) : std::nullopt;
      const std::string name = k < names.size() ? names[k] : std::to_string(k + 1);
      if (value) add(kernel + "<" + name + ">", *value, arguments[k].front().text);
    }
  }

  /// The names of a kernel template's parameters.
  [[nodiscard]] std::vector<std::string> parametersOf(const std::string& kernel) const {
    for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
      if (!tokens_[i].is("template") || !tokens_[i + 1].is("<")) continue;
      size_t close = i + 2;
      while (close < tokens_.size() && !tokens_[close].is(">")) ++close;
      size_t body = close;
      while (body < tokens_.size() && !tokens_[body].is("(") && !tokens_[body].is(";")) ++body;
      // __launch_bounds__(…) precedes the name.
      while (body < tokens_.size() && at(body).is("(") && !at(body - 1).is(kernel)) {
        while (body < tokens_.size() && !tokens_[body].is(")")) ++body;
        while (body < tokens_.size() && !tokens_[body].is("(") && !tokens_[body].is("{")) ++body;
      }
      if (body >= tokens_.size() || !at(body - 1).is(kernel)) continue;
      std::vector<std::string> names;
      for (const CudaTokens& each : atCommas(slice(tokens_, i + 2, close))) {
        size_t last = 0;
        while (last + 1 < each.size() && !each[last + 1].is("=")) ++last;
        names.emplace_back(each.empty() ? "" : each[last].text);
      }
      return names;
    }
    return {};
  }

  [[nodiscard]] size_t endOfStatement(size_t i) const {
    while (i < tokens_.size() && !tokens_[i].is(";") && !tokens_[i].is("{")) ++i;
    return i;
  }
  void addWords(size_t first, size_t end, bool ofBlock) {
    for (size_t i = first; i < std::min(end, tokens_.size()); ++i)
      if (tokens_[i].kind == CudaToken::Kind::word) addRoot(std::string(tokens_[i].text), ofBlock);
  }
  void addRoot(const std::string& name, bool ofBlock) {
    roots_.insert(name);
    if (ofBlock) ofBlock_.insert(name);
  }

  /// Adds constants that affect a launch through other variables.
  void closeRoots() {
    for (auto* const names : {&roots_, &ofBlock_}) {
      std::vector<std::string> open(names->begin(), names->end());
      while (!open.empty()) {
        const std::string name = open.back();
        open.pop_back();
        for (const std::string& used : uses_[name])
          if (names->insert(used).second) open.push_back(used);
      }
    }
  }

  std::string_view source_;
  CudaTokens tokens_;
  std::vector<TextConstant> constants_;
  std::map<std::string, std::set<std::string>>
      uses_;  ///< For each variable, the names in its value.
  std::set<std::string> roots_, ofBlock_;
  std::set<std::string> defined_, changed_;
};

}  // namespace

std::vector<TextConstant> textConstants(std::string_view source) {
  return ConstantReader(source).read();
}

std::string withValue(std::string_view source, const TextConstant& constant, int64_t value) {
  std::string text(source);
  for (auto place = constant.places.rbegin(); place != constant.places.rend(); ++place)
    if (place->end <= text.size())
      text.replace(place->begin, place->end - place->begin, std::to_string(value));
  return text;
}

}  // namespace tilestep::compile
