// SPDX-License-Identifier: Apache-2.0
#include "compile/launched_kernel.h"

#include <algorithm>
#include <charconv>
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

/// Numbers that a name stands for: #define NAME 16 and NAME = 16, where all agree.
class Numbers {
 public:
  explicit Numbers(const CudaTokens& tokens) {
    for (size_t at = 0; at < tokens.size(); ++at) {
      if (tokens[at].kind == Kind::directive) {
        define(tokens[at].text);
      } else if (tokens[at].kind == Kind::word && at + 3 < tokens.size() &&
                 tokens[at + 1].is("=") && (tokens[at + 3].is(";") || tokens[at + 3].is(","))) {
        keep(tokens[at].text, numberOf(tokens[at + 2]));
      }
    }
  }

  [[nodiscard]] std::optional<int64_t> of(const CudaTokens& tokens) const {
    if (tokens.size() != 1) return {};
    if (const auto number = numberOf(tokens[0])) return number;
    const auto known = known_.find(std::string(tokens[0].text));
    return known == known_.end() ? std::nullopt : known->second;
  }

 private:
  static std::optional<int64_t> numberOf(const CudaToken& token) {
    int64_t value = 0;
    const char* end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, value);
    return error == std::errc() && stop == end && value > 0 ? std::optional(value) : std::nullopt;
  }

  void define(std::string_view line) {
    constexpr std::string_view kDefine = "define";
    const CudaTokens words = cudaTokens(line.substr(std::min(line.find('#') + 1, line.size())));
    if (words.size() < 3 || !words[0].is(kDefine)) return;
    const bool bracketed = words.size() == 5 && words[2].is("(") && words[4].is(")");
    if (words.size() == 3 || bracketed) keep(words[1].text, numberOf(words[bracketed ? 3 : 2]));
  }

  void keep(std::string_view name, std::optional<int64_t> value) {
    const auto [at, added] = known_.try_emplace(std::string(name), value);
    if (!added && at->second != value) at->second.reset();
  }

  std::map<std::string, std::optional<int64_t>> known_;
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

/// What the body does with name[index]: read, written, and the index's form.
void lookAtUses(KernelParameter& parameter, const CudaTokens& body) {
  for (size_t at = 0; at + 1 < body.size(); ++at) {
    if (!body[at].is(parameter.name) || !body[at + 1].is("[")) continue;
    const size_t behind = behindBracket(body, at + 1);
    const auto next = [&](size_t ahead, std::string_view what) {
      return behind + ahead < body.size() && body[behind + ahead].is(what);
    };
    const bool assigned = next(0, "=") && !next(1, "=");
    const bool changed =
        behind + 1 < body.size() && body[behind].kind == Kind::symbol &&
        ((next(1, "=") && !next(0, "=") && !next(0, "<") && !next(0, ">") && !next(0, "!")) ||
         (next(0, "+") && next(1, "+")) || (next(0, "-") && next(1, "-")));
    const bool address = at > 0 && body[at - 1].is("&");
    const bool counted = at > 1 && body[at - 1].is("+") && body[at - 2].is("+");
    parameter.written |= assigned || changed || address || counted;
    parameter.read |= !assigned;
    if (parameter.index.empty()) parameter.index = slice(body, at + 2, behind - 1);
  }
  splitIndex(parameter);
}

class Reader {
 public:
  explicit Reader(std::string_view source) : tokens_(cudaTokens(source)), numbers_(tokens_) {}

  std::vector<LaunchedKernel> run() {
    std::vector<LaunchedKernel> found;
    for (size_t at = 0; at < tokens_.size(); ++at) {
      if (!tokens_[at].is("__global__")) continue;
      if (auto kernel = kernelAt(at)) found.push_back(std::move(*kernel));
    }
    for (LaunchedKernel& kernel : found) findLaunch(kernel);
    return found;
  }

 private:
  std::optional<LaunchedKernel> kernelAt(size_t at) const {
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
    kernel.body = slice(tokens_, end + 1, behindBracket(tokens_, end) - 1);
    for (const CudaTokens& part : atCommas(slice(tokens_, at + 2, end - 1))) {
      kernel.parameters.push_back(parameterOf(part));
      lookAtUses(kernel.parameters.back(), kernel.body);
    }
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
    if (shape.size() > 1) kernel.block = shapeOf(shape[1]);
    if (shape.size() > 2) kernel.dynamicSharedBytes = numbers_.of(shape[2]);
    if (arguments >= tokens_.size() || !tokens_[arguments].is("(")) return;
    const size_t end = behindBracket(tokens_, arguments);
    for (const CudaTokens& argument : atCommas(slice(tokens_, arguments + 1, end - 1)))
      kernel.arguments.push_back(numbers_.of(argument));
  }

  /// A number, dim3(a, b), {a, b}, or a variable that is declared as one of these.
  [[nodiscard]] LaunchShape shapeOf(const CudaTokens& tokens) const {
    if (const auto number = numbers_.of(tokens)) return {number, 1, 1};
    if (tokens.size() > 2 && isClose(tokens.back())) {
      size_t open = 0;
      while (!isOpen(tokens[open])) ++open;
      LaunchShape shape = {1, 1, 1};
      const auto parts = atCommas(slice(tokens, open + 1, tokens.size() - 1));
      for (size_t i = 0; i < std::min<size_t>(parts.size(), 3); ++i)
        shape[i] = numbers_.of(parts[i]);
      return shape;
    }
    if (tokens.size() != 1 || tokens[0].kind != Kind::word) return {};
    for (size_t at = 1; at + 1 < tokens_.size(); ++at) {
      if (!tokens_[at].is(tokens[0].text) || !tokens_[at - 1].is("dim3")) continue;
      size_t open = at + 1;
      while (open < tokens_.size() && !isOpen(tokens_[open]) && !tokens_[open].is(";")) ++open;
      if (open < tokens_.size() && isOpen(tokens_[open]))
        return shapeOf(slice(tokens_, open, behindBracket(tokens_, open)));
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
