// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace tilestep {

/// Whose fault it was; decides the exit status of a command.
enum class ErrorKind {
  request,  ///< The request was wrong: exit 2. Says what, where and what to do instead.
  work,     ///< The work ran and failed: exit 1.
};

/// A place in a text; lines and columns count from 1, 0 means unknown.
struct TextLocation {
  std::string file;
  int line = 0;
  int column = 0;
};

/// A failure as a person reads it: one sentence, and where possible the place and its source line.
struct Error {
  ErrorKind kind = ErrorKind::work;
  std::string message;                ///< One sentence, no trailing newline.
  std::optional<TextLocation> where;  ///< Where in a source text, if anywhere.
  std::string sourceLine;             ///< The text of that line, empty when unknown.
};

/// An error of the request: what is wrong and what to do instead.
[[nodiscard]] Error requestError(std::string message);

/// An error of the work.
[[nodiscard]] Error workError(std::string message);

/// "file:line:column: message", then the source line and a caret under the column when known. A
/// line is shown as a terminal may get it: no control characters, a long one only around the
/// column.
[[nodiscard]] std::string toString(const Error& error);

}  // namespace tilestep
