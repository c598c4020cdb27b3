// SPDX-License-Identifier: Apache-2.0
#include "features/program/code_text.h"

#include <algorithm>
#include <utility>

namespace tilestep::features {

using compile::CudaTokens;

Lines linesOf(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string indentOf(const std::string& line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

char lastSign(const std::string& line) {
  const CudaTokens tokens = compile::cudaTokens(line);
  return tokens.empty() ? '\0' : tokens.back().text.back();
}

CodeText::CodeText(std::string_view text)
    : lines(linesOf(text)), text_(text), tokens_(compile::cudaTokens(text)) {
  int depth = 0;
  size_t token = 0, offset = 0;
  for (const std::string& line : lines) {
    while (token < tokens_.size() && offsetOf(token) < offset) {
      depth += tokens_[token].is("{") ? 1 : tokens_[token].is("}") ? -1 : 0;
      ++token;
    }
    depths.push_back(depth);
    starts_.push_back(offset);
    offset += line.size() + 1;
  }
}

size_t CodeText::firstIn(uint32_t line) const {
  const size_t start = line == 0 || line > starts_.size() ? text_.size() : starts_[line - 1];
  size_t i = 0;
  while (i < tokens_.size() && offsetOf(i) < start) ++i;
  return i;
}

bool CodeText::beginsStatement(size_t line) const {
  for (size_t i = line; i-- > 0;) {
    const char last = lastSign(lines[i]);
    if (last == '\0') continue;
    return last == ';' || last == '{' || last == '}' || lines[i].starts_with('#');
  }
  return true;
}

std::string CodeText::with(const Lines& changed) const {
  std::string all;
  for (size_t i = 0; i < changed.size(); ++i)
    all += changed[i] + (i + 1 < changed.size() || text_.ends_with('\n') ? "\n" : "");
  return all;
}

std::string CodeText::with(size_t first, size_t end, const std::string& piece) const {
  std::string all(text_);
  const size_t from = offsetOf(first);
  const size_t to = offsetOf(end - 1) + tokens_[end - 1].text.size();
  return all.replace(from, to - from, piece);
}

CodeFix changed(std::string title, std::string_view from, std::string text) {
  CodeFix fix;
  fix.title = std::move(title);
  fix.changes = changesBetween(from, text, fix.line);
  fix.text = std::move(text);
  return fix;
}

}  // namespace tilestep::features
