// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <algorithm>
#include <utility>

namespace tilestep {

Error requestError(std::string message) {
  return {ErrorKind::request, std::move(message), std::nullopt, {}};
}

Error workError(std::string message) {
  return {ErrorKind::work, std::move(message), std::nullopt, {}};
}

std::string toString(const Error& error) {
  if (!error.where) return error.message;
  const TextLocation& at = *error.where;
  std::string text = at.file;
  if (at.line > 0) text += ":" + std::to_string(at.line);
  if (at.line > 0 && at.column > 0) text += ":" + std::to_string(at.column);
  text += ": " + error.message;
  if (error.sourceLine.empty()) return text;
  text += "\n" + error.sourceLine;
  if (at.column <= 0) return text;
  text += "\n";
  const auto before = std::min(static_cast<size_t>(at.column) - 1, error.sourceLine.size());
  for (size_t i = 0; i < before; ++i) {
    const char c = error.sourceLine[i];
    // Columns count bytes; the later bytes of a UTF-8 character take no place on screen.
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) text += c == '\t' ? '\t' : ' ';
  }
  return text + "^";
}

}  // namespace tilestep
