// SPDX-License-Identifier: Apache-2.0
#include "compile/text/token_ranges.h"

#include <algorithm>

namespace tilestep::compile {

namespace {

using Kind = CudaToken::Kind;

}  // namespace

bool isOpen(const CudaToken& token) {
  return token.kind == Kind::symbol && (token.is("(") || token.is("[") || token.is("{"));
}

bool isClose(const CudaToken& token) {
  return token.kind == Kind::symbol && (token.is(")") || token.is("]") || token.is("}"));
}

std::optional<std::vector<size_t>> matchBrackets(const CudaTokens& tokens) {
  std::vector<size_t> partner(tokens.size(), 0), open;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != Kind::symbol || tokens[i].text.size() != 1) continue;
    const char c = tokens[i].text[0];
    if (c == '(' || c == '{' || c == '[') open.push_back(i);
    if (c != ')' && c != '}' && c != ']') continue;
    const char needed = c == ')' ? '(' : c == '}' ? '{' : '[';
    if (open.empty() || tokens[open.back()].text[0] != needed) return std::nullopt;
    partner[i] = open.back();
    partner[open.back()] = i;
    open.pop_back();
  }
  if (!open.empty()) return std::nullopt;
  return partner;
}

CudaTokens slice(const CudaTokens& tokens, size_t first, size_t end) {
  first = std::min(first, tokens.size());
  end = std::clamp(end, first, tokens.size());
  return {tokens.begin() + static_cast<long>(first), tokens.begin() + static_cast<long>(end)};
}

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

std::string joined(const CudaTokens& tokens) {
  std::string text;
  for (const CudaToken& token : tokens) text += token.text;
  return text;
}

}  // namespace tilestep::compile
