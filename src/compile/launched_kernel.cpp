// SPDX-License-Identifier: Apache-2.0
#include "compile/launched_kernel.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <map>

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;

bool isOpen(const CudaToken& token) {
  return token.kind == Kind::symbol && (token.is("(") || token.is("[") || token.is("{"));
}
bool isClose(const CudaToken& token) {
  return token.kind == Kind::symbol && (token.is(")") || token.is("]") || token.is("}"));
}

/// One past the bracket that closes the one at `open`; the end where none does.
size_t behindBracket(const CudaTokens& tokens, size_t open) {
  int depth = 0;
  for (size_t at = open; at < tokens.size(); ++at) {
    if (isOpen(tokens[at])) ++depth;
    if (isClose(tokens[at]) && --depth == 0) return at + 1;
  }
  return tokens.size();
}

CudaTokens slice(const CudaTokens& tokens, size_t first, size_t end) {
  first = std::min(first, tokens.size());
  end = std::clamp(end, first, tokens.size());
  return {tokens.begin() + static_cast<long>(first), tokens.begin() + static_cast<long>(end)};
}

/// Cut at the commas outside brackets.
std::vector<CudaTokens> atCommas(const CudaTokens& tokens) {
  std::vector<CudaTokens> parts(1);
  int depth = 0;
  for (const CudaToken& token : tokens) {
    if (isOpen(token)) ++depth;
    if (isClose(token)) --depth;
    if (depth == 0 && token.is(",")) {
      parts.emplace_back();
    } else {
      parts.back().push_back(token);
    }
  }
  if (parts.back().empty()) parts.pop_back();
  return parts;
}

/// Whole numbers that the text writes out: what names stand for (#define NAME 16, NAME = 2 * n,
/// where all definitions are one), and sums, products and quotients of them, as C++ has them.
class Numbers {
 public:
  explicit Numbers(const CudaTokens& tokens) {
    for (size_t at = 0; at < tokens.size(); ++at) {
      if (tokens[at].kind == Kind::directive) define(tokens[at].text);
      if (tokens[at].kind != Kind::word || at + 2 >= tokens.size() || !tokens[at + 1].is("="))
        continue;
      size_t end = at + 2;
      while (end < tokens.size() && end < at + kLongest && !tokens[end].is(";") &&
             !tokens[end].is(",") && !tokens[end].is("{"))
        ++end;
      keep(tokens[at].text, slice(tokens, at + 2, end));
    }
  }

  [[nodiscard]] std::optional<int64_t> of(const CudaTokens& tokens) const {
    const auto value = valueOf(tokens, 0);
    return value && *value > 0 ? value : std::nullopt;
  }

 private:
  static constexpr size_t kLongest = 64;  // Tokens of a definition.
  static constexpr int kDeepest = 12;     // Names of names, and brackets in brackets.
  static constexpr int64_t kMost = int64_t{1} << 40;

  struct Cursor {
    const CudaTokens& tokens;
    size_t at = 0;
    [[nodiscard]] bool is(std::string_view what) const {
      return at < tokens.size() && tokens[at].is(what);
    }
  };
  using Value = std::optional<int64_t>;

  [[nodiscard]] Value valueOf(const CudaTokens& tokens, int depth) const {
    Cursor cursor{tokens};
    const Value value = sum(cursor, depth);
    return cursor.at == tokens.size() ? value : std::nullopt;
  }

  [[nodiscard]] Value sum(Cursor& cursor, int depth) const {
    Value value = product(cursor, depth);
    while (value && (cursor.is("+") || cursor.is("-"))) {
      const bool plus = cursor.tokens[cursor.at++].is("+");
      const Value next = product(cursor, depth);
      value = next ? bounded(plus ? *value + *next : *value - *next) : std::nullopt;
    }
    return value;
  }

  [[nodiscard]] Value product(Cursor& cursor, int depth) const {
    Value value = factor(cursor, depth);
    while (value && (cursor.is("*") || cursor.is("/"))) {
      const bool times = cursor.tokens[cursor.at++].is("*");
      const Value next = factor(cursor, depth);
      if (!next || (!times && *next == 0)) return std::nullopt;
      if (times && *value != 0 && std::abs(*next) > kMost / std::abs(*value)) return std::nullopt;
      value = times ? *value * *next : *value / *next;
    }
    return value;
  }

  [[nodiscard]] Value factor(Cursor& cursor, int depth) const {
    if (cursor.at >= cursor.tokens.size() || depth > kDeepest) return std::nullopt;
    const CudaToken& token = cursor.tokens[cursor.at++];
    if (token.is("sizeof")) return size(cursor);
    if (token.is("(")) {
      const Value value = sum(cursor, depth + 1);
      return cursor.is(")") ? (++cursor.at, value) : std::nullopt;
    }
    if (token.kind == Kind::number) return numberOf(token);
    const auto known = known_.find(std::string(token.text));
    if (token.kind != Kind::word || known == known_.end()) return std::nullopt;
    return valueOf(known->second, depth + 1);
  }

  static Value size(Cursor& cursor) {
    if (!cursor.is("(")) return std::nullopt;
    const size_t end = behindBracket(cursor.tokens, cursor.at);
    std::string type;
    for (const CudaToken& token : slice(cursor.tokens, cursor.at + 1, end - 1))
      type += (type.empty() ? "" : " ") + std::string(token.text);
    cursor.at = end;
    if (type == "float" || type == "int" || type == "unsigned" || type == "unsigned int") return 4;
    if (type == "double" || type == "size_t" || type == "long long") return 8;
    if (type == "half" || type == "__half" || type == "short") return 2;
    return type == "char" || type == "unsigned char" ? Value(1) : std::nullopt;
  }

  static Value bounded(int64_t value) {
    return std::abs(value) <= kMost ? Value(value) : std::nullopt;
  }

  static Value numberOf(const CudaToken& token) {
    int64_t value = 0;
    const char* end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, value);
    return error == std::errc() && stop == end ? bounded(value) : std::nullopt;
  }

  void define(std::string_view line) {
    const CudaTokens words = cudaTokens(line.substr(std::min(line.find('#') + 1, line.size())));
    if (words.size() < 3 || words.size() > kLongest || !words[0].is("define")) return;
    keep(words[1].text, slice(words, 2, words.size()));
  }

  void keep(std::string_view name, const CudaTokens& value) {
    const auto [at, added] = known_.try_emplace(std::string(name), value);
    const bool same = std::ranges::equal(at->second, value, {}, &CudaToken::text, &CudaToken::text);
    if (!added && !same) at->second.clear();  // Which of them holds is not known.
  }

  std::map<std::string, CudaTokens> known_;
};

KernelParameter parameterOf(const CudaTokens& tokens) {
  KernelParameter parameter;
  size_t end = tokens.size();
  for (size_t at = 0; at < tokens.size(); ++at) {
    if (tokens[at].is("*") || tokens[at].is("[")) parameter.pointer = true;
    if (tokens[at].is("=") || tokens[at].is("[")) end = std::min(end, at);
  }
  size_t name = end;
  while (name > 0 && tokens[name - 1].kind != Kind::word) --name;
  if (name == 0) return parameter;
  parameter.name = tokens[name - 1].text;
  for (size_t at = 0; at + 1 < name; ++at) {
    const CudaToken& token = tokens[at];
    if (token.kind != Kind::word || token.is("const") || token.is("volatile") ||
        token.is("__restrict__") || token.is("std") || token.is("__restrict"))
      continue;
    parameter.type += (parameter.type.empty() ? "" : " ") + std::string(token.text);
  }
  return parameter;
}

/// row * columns + …, outside brackets: sets row and columns.
void splitIndex(KernelParameter& parameter) {
  const CudaTokens& index = parameter.index;
  int depth = 0;
  size_t open = 0;  // Of the last bracket outside others.
  for (size_t i = 0; i + 1 < index.size(); ++i) {
    if (isOpen(index[i]) && depth++ == 0) open = i;
    if (isClose(index[i])) --depth;
    if (depth > 0 || i == 0 || !index[i].is("*") || index[i + 1].kind != Kind::word) continue;
    const bool bracketed = index[i - 1].is(")");
    parameter.columns = index[i + 1].text;
    parameter.row = bracketed ? slice(index, open + 1, i - 1) : slice(index, i - 1, i);
    return;
  }
}

/// Of a pointer that is never indexed: `*name = …` and `atomicAdd(name, …)`.
void lookAtPlainUses(KernelParameter& parameter, const CudaTokens& body) {
  for (size_t at = 1; at + 1 < body.size(); ++at) {
    if (!body[at].is(parameter.name)) continue;
    const bool starred = body[at - 1].is("*");
    const bool atomic = at > 1 && body[at - 1].is("(") && body[at - 2].text.starts_with("atomic");
    const size_t operation =
        at + 1 +
        (starred && at + 2 < body.size() && !body[at + 1].is("=") && body[at + 2].is("=") ? 1 : 0);
    const bool assigned = starred && body[operation].is("=") &&
                          !(operation + 1 < body.size() && body[operation + 1].is("="));
    parameter.single |= assigned || atomic;
    parameter.written |= assigned || atomic;
    parameter.read |= atomic || (starred && (!assigned || operation > at + 1));
  }
}

/// What the body does with name[index]: read, written, and the index's form.
void lookAtUses(KernelParameter& parameter, const CudaTokens& body) {
  for (size_t at = 0; at + 1 < body.size(); ++at) {
    if (!body[at].is(parameter.name) || !body[at + 1].is("[")) continue;
    const size_t behind = behindBracket(body, at + 1);
    const auto next = [&](size_t ahead, std::string_view what) {
      return behind + ahead < body.size() && body[behind + ahead].is(what);
    };
    const bool assigned = next(0, "=") && !next(1, "=");
    const bool shifted = (next(0, "<") && next(1, "<")) || (next(0, ">") && next(1, ">"));
    const bool operation =
        behind < body.size() && body[behind].text.size() == 1 &&
        std::string_view("+-*/%&|^").find(body[behind].text) != std::string_view::npos;
    const bool changed = (operation && next(1, "=")) || (shifted && next(2, "=")) ||
                         (next(0, "+") && next(1, "+")) || (next(0, "-") && next(1, "-"));
    const bool address = at > 0 && body[at - 1].is("&");
    const bool counted = at > 1 && body[at - 1].is("+") && body[at - 2].is("+");
    parameter.written |= assigned || changed || address || counted;
    parameter.read |= !assigned;
    if (parameter.index.empty()) parameter.index = slice(body, at + 2, behind - 1);
  }
  splitIndex(parameter);
  if (parameter.index.empty()) lookAtPlainUses(parameter, body);
}

class Reader {
 public:
  explicit Reader(std::string_view source) : tokens_(cudaTokens(source)), numbers_(tokens_) {}

  std::vector<LaunchedKernel> run() {
    std::vector<LaunchedKernel> found;
    for (size_t at = 0; at < tokens_.size(); ++at) {
      if (!tokens_[at].is("__global__") || found.size() >= kMostKernels) continue;
      if (auto kernel = kernelAt(at)) found.push_back(std::move(*kernel));
    }
    for (LaunchedKernel& kernel : found) findLaunch(kernel);
    return found;
  }

 private:
  static constexpr size_t kMostKernels = 64, kMostParameters = 64;

  /// Leaves `at` at the kernel's end.
  std::optional<LaunchedKernel> kernelAt(size_t& at) const {
    const size_t start = at;
    while (at + 1 < tokens_.size() && !tokens_[at + 1].is("(")) ++at;
    if (tokens_[at].is("__launch_bounds__")) {
      at = behindBracket(tokens_, at + 1);
      while (at + 1 < tokens_.size() && !tokens_[at + 1].is("(")) ++at;
    }
    const size_t end = behindBracket(tokens_, at + 1);
    if (end >= tokens_.size() || !tokens_[end].is("{") || tokens_[at].kind != Kind::word) return {};
    LaunchedKernel kernel;
    kernel.name = tokens_[at].text;
    kernel.isTemplate = start > 0 && tokens_[start - 1].is(">");
    const size_t last = behindBracket(tokens_, end) - 1;
    kernel.body = slice(tokens_, end + 1, last);
    for (const CudaTokens& part : atCommas(slice(tokens_, at + 2, end - 1))) {
      if (kernel.parameters.size() == kMostParameters) break;
      kernel.parameters.push_back(parameterOf(part));
      lookAtUses(kernel.parameters.back(), kernel.body);
    }
    at = last;
    return kernel;
  }

  void findLaunch(LaunchedKernel& kernel) const {
    for (size_t at = 0; at + 1 < tokens_.size(); ++at) {
      if (!tokens_[at].is(kernel.name)) continue;
      size_t open = at + 1;
      if (tokens_[open].is("<")) {
        while (open < tokens_.size() && !tokens_[open].is(">") && !tokens_[open].is(";")) ++open;
        if (open + 1 >= tokens_.size() || !tokens_[open + 1].is("<<<")) continue;
        for (const CudaToken& token : slice(tokens_, at + 2, open)) kernel.instance += token.text;
        ++open;
      }
      if (!tokens_[open].is("<<<")) continue;
      size_t close = open;
      while (close < tokens_.size() && !tokens_[close].is(">>>")) ++close;
      readLaunch(kernel, atCommas(slice(tokens_, open + 1, close)), close + 1);
      return;
    }
  }

  void readLaunch(LaunchedKernel& kernel, const std::vector<CudaTokens>& shape,
                  size_t arguments) const {
    kernel.launched = true;
    if (!shape.empty()) kernel.grid = shapeOf(shape[0], 0);
    if (shape.size() > 1) kernel.block = shapeOf(shape[1], 0);
    if (shape.size() > 2) kernel.dynamicSharedBytes = numbers_.of(shape[2]);
    if (arguments >= tokens_.size() || !tokens_[arguments].is("(")) return;
    const size_t end = behindBracket(tokens_, arguments);
    const auto given = atCommas(slice(tokens_, arguments + 1, end - 1));
    for (size_t i = 0; i < given.size(); ++i) {
      kernel.arguments.push_back(numbers_.of(given[i]));
      if (i < kernel.parameters.size() && given[i].size() == 1)
        kernel.parameters[i].bytes = allocated(given[i][0].text);
    }
  }

  /// Bytes that cudaMalloc or cudaMallocManaged is asked for in &name.
  [[nodiscard]] std::optional<int64_t> allocated(std::string_view name) const {
    for (size_t at = 0; at < tokens_.size(); ++at) {
      if (!tokens_[at].is("cudaMalloc") && !tokens_[at].is("cudaMallocManaged")) continue;
      if (at + 1 >= tokens_.size() || !tokens_[at + 1].is("(")) continue;
      const auto given = atCommas(slice(tokens_, at + 2, behindBracket(tokens_, at + 1) - 1));
      if (given.size() >= 2 && !given[0].empty() && given[0].back().is(name))
        return numbers_.of(given[1]);
    }
    return {};
  }

  /// A number, dim3(a, b), {a, b}, or a variable that is declared as one of these.
  [[nodiscard]] LaunchShape shapeOf(const CudaTokens& tokens, int depth) const {
    if (const auto number = numbers_.of(tokens)) return {number, 1, 1};
    const size_t open = tokens.size() > 1 && tokens[0].is("dim3") ? 1 : 0;
    if (tokens.size() > open + 1 && isOpen(tokens[open]) &&
        behindBracket(tokens, open) == tokens.size()) {
      LaunchShape shape = {1, 1, 1};
      const auto parts = atCommas(slice(tokens, open + 1, tokens.size() - 1));
      for (size_t i = 0; i < std::min<size_t>(parts.size(), 3); ++i)
        shape[i] = numbers_.of(parts[i]);
      return shape;
    }
    if (depth > 0 || tokens.size() != 1 || tokens[0].kind != Kind::word) return {};
    for (size_t at = 1; at + 1 < tokens_.size(); ++at) {
      if (!tokens_[at].is(tokens[0].text)) continue;
      const bool declared = tokens_[at - 1].is("dim3") || isOpen(tokens_[at + 1]);
      size_t first = at + 1;
      if (!declared) continue;
      if (tokens_[first].is("=")) ++first;
      if (first < tokens_.size() && tokens_[first].is("dim3")) ++first;
      if (first < tokens_.size() && isOpen(tokens_[first]))
        return shapeOf(slice(tokens_, first, behindBracket(tokens_, first)), depth + 1);
    }
    return {};
  }

  const CudaTokens tokens_;
  const Numbers numbers_;
};

}  // namespace

bool LaunchedKernel::uses(std::string_view variable, char dimension) const {
  for (size_t at = 0; at + 2 < body.size(); ++at) {
    if (body[at].is(variable) && body[at + 1].is(".") && body[at + 2].text.size() == 1 &&
        body[at + 2].text[0] == dimension)
      return true;
  }
  return false;
}

bool LaunchedKernel::uses(std::string_view word) const {
  return std::any_of(body.begin(), body.end(), [&](const CudaToken& t) { return t.is(word); });
}

std::vector<LaunchedKernel> launchedKernels(std::string_view source) {
  return Reader(source).run();
}

}  // namespace tilestep::compile
