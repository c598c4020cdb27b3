// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

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
  for (int i = 1; i < at.column; ++i) {
    const auto index = static_cast<size_t>(i - 1);
    const bool tab = index < error.sourceLine.size() && error.sourceLine[index] == '\t';
    text += tab ? '\t' : ' ';
  }
  return text + "^";
}

}  // namespace tilestep
