// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/printable.h"

namespace tilestep {

Error requestError(std::string message) {
  return {ErrorKind::request, std::move(message), std::nullopt, {}};
}

Error workError(std::string message) {
  return {ErrorKind::work, std::move(message), std::nullopt, {}};
}

Error lateError(std::string message) {
  return {ErrorKind::work, std::move(message), std::nullopt, {}, true};
}

namespace {

/// Longer source lines (generated code, binary files) are cut to this many bytes.
constexpr size_t kMostShown = 160;

/// Whether the byte continues a UTF-8 character and so adds no column on the screen.
bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// The length of the UTF-8 character at the beginning of `text`; 0 if it is invalid.
size_t characterBytes(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const size_t bytes = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const bool starts = first < 0x80 || (first >= 0xc2 && first <= 0xf4);
  if (!starts || bytes > text.size()) return 0;
  for (size_t i = 1; i < bytes; ++i) {
    if (!continues(text[i])) return 0;
  }
  return bytes;
}

/// Replaces control characters and invalid UTF-8 by '?'. Every byte keeps its position.
std::string inPlace(std::string text) {
  for (size_t i = 0; i < text.size();) {
    const size_t bytes = characterBytes(std::string_view(text).substr(i));
    const bool control =
        (bytes == 1 && static_cast<unsigned char>(text[i]) < ' ') || text[i] == '\x7f' ||
        (bytes == 2 && text[i] == '\xc2' && static_cast<unsigned char>(text[i + 1]) < 0xa0);
    const size_t taken = std::max<size_t>(bytes, 1);
    if (bytes == 0 || (control && text[i] != '\t')) {
      for (size_t k = i; k < i + taken; ++k) text[k] = '?';
    }
    i += taken;
  }
  return text;
}

/// The part of the line around `column` (from 1; 0: unknown). Adjusts `column` to the result.
std::string shownLine(const std::string& line, size_t& column) {
  std::string text = inPlace(line);
  if (text.size() <= kMostShown) return text;
  size_t first = column > kMostShown / 2 ? std::min(column - kMostShown / 2, text.size() - 1) : 0;
  while (first > 0 && continues(text[first])) --first;
  size_t end = std::min(first + kMostShown, text.size());
  while (end < text.size() && continues(text[end])) ++end;
  const std::string before = first > 0 ? "…" : "", after = end < text.size() ? "…" : "";
  column = column > first ? column - first + before.size() : 0;
  return before + text.substr(first, end - first) + after;
}

}  // namespace

std::string toString(const Error& error) {
  const std::string message = printable(error.message);
  if (!error.where) return message;
  const TextLocation& at = *error.where;
  std::string text = printableLine(at.file);
  if (at.line > 0) text += ":" + std::to_string(at.line);
  if (at.line > 0 && at.column > 0) text += ":" + std::to_string(at.column);
  text += ": " + message;
  if (error.sourceLine.empty()) return text;
  auto column = static_cast<size_t>(std::max(at.column, 0));
  const std::string line = shownLine(error.sourceLine, column);
  text += "\n" + line;
  if (column == 0) return text;
  text += "\n";
  // Columns count bytes.
  for (size_t i = 0; i < std::min(column - 1, line.size()); ++i) {
    if (!continues(line[i])) text += line[i] == '\t' ? '\t' : ' ';
  }
  return text + "^";
}

}  // namespace tilestep
