// SPDX-License-Identifier: Apache-2.0
#include "compile/text/written_numbers.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace tilestep::compile {
namespace {

using Kind = CudaToken::Kind;
using Names = std::map<std::string, CudaTokens>;

constexpr size_t kLongest = 64;  // Tokens of a definition.

/// Works out expressions of known names.
class Calculation {
 public:
  explicit Calculation(const Names& known) : known_(known) {}

  using Value = std::optional<int64_t>;

  [[nodiscard]] Value valueOf(const CudaTokens& tokens, int depth) const {
    Cursor cursor{tokens};
    const Value value = sum(cursor, depth);
    return cursor.at == tokens.size() ? value : std::nullopt;
  }

 private:
  static constexpr int kDeepest = 12;  // Names of names, and brackets in brackets.
  static constexpr int64_t kMost = int64_t{1} << 40;

  struct Cursor {
    const CudaTokens& tokens;
    size_t at = 0;
    [[nodiscard]] bool is(std::string_view what) const {
      return at < tokens.size() && tokens[at].is(what);
    }
  };
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

  const Names& known_;
};

}  // namespace

WrittenNumbers::WrittenNumbers(const CudaTokens& tokens) {
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

std::optional<int64_t> WrittenNumbers::of(const CudaTokens& tokens) const {
  const auto value = Calculation(known_).valueOf(tokens, 0);
  return value && *value > 0 ? value : std::nullopt;
}

void WrittenNumbers::define(std::string_view line) {
  const CudaTokens words = cudaTokens(line.substr(std::min(line.find('#') + 1, line.size())));
  if (words.size() < 3 || words.size() > kLongest || !words[0].is("define")) return;
  keep(words[1].text, slice(words, 2, words.size()));
}

void WrittenNumbers::keep(std::string_view name, const CudaTokens& value) {
  const auto [at, added] = known_.try_emplace(std::string(name), value);
  const bool same = std::ranges::equal(at->second, value, {}, &CudaToken::text, &CudaToken::text);
  if (!added && !same) at->second.clear();  // Which of them holds is not known.
}

}  // namespace tilestep::compile
