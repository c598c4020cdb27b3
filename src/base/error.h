// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace tilestep {

/// The cause of a failure, which decides a command's exit status.
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

/// A failure for people: one sentence and, if possible, the place and its source line.
struct Error {
  ErrorKind kind = ErrorKind::work;
  std::string message;                ///< One sentence, no trailing newline.
  std::optional<TextLocation> where;  ///< The place in a source text, if any.
  std::string sourceLine;             ///< The text of that line, empty when unknown.
  /// A time limit was reached, which a less busy machine may not reach.
  bool late = false;
};

/// An error of the request: the mistake and what to do instead.
[[nodiscard]] Error requestError(std::string message);

/// An error of the work.
[[nodiscard]] Error workError(std::string message);
/// An error of the work because of a time limit.
[[nodiscard]] Error lateError(std::string message);

/// "file:line:column: message", then the source line with a caret under the column if it is known.
/// The line is made safe for a terminal: control characters are removed, and only the part around
/// the column is shown of a long one.
[[nodiscard]] std::string toString(const Error& error);

}  // namespace tilestep
