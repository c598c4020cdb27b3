// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace tilestep {

/// Whose fault a failure was. It decides a command's exit status.
enum class ErrorKind {
  request,  ///< The request was wrong: exit 2. The message says what to do instead.
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
  /// A limit of time was reached, which a machine that has less to do may not reach.
  bool late = false;
};

/// An error of the request: what is wrong and what to do instead.
[[nodiscard]] Error requestError(std::string message);

/// An error of the work.
[[nodiscard]] Error workError(std::string message);
/// One that a limit of time led to.
[[nodiscard]] Error lateError(std::string message);

/// "file:line:column: message", then the source line with a caret under the column if it is known.
/// The line is made safe for a terminal: control characters are removed, and only the part around
/// the column is shown of a long one.
[[nodiscard]] std::string toString(const Error& error);

}  // namespace tilestep
