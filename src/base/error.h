// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace tilestep {

/// The cause of a failure, which decides a command's exit status.
enum class ErrorKind {
  request,  ///< Invalid request: exit status 2. The message says what to do instead.
  work,     ///< Execution failed: exit status 1.
};

/// A position in a file. Lines and columns count from 1; 0 means unknown.
struct TextLocation {
  std::string file;
  int line = 0;
  int column = 0;
};

/// An error message for the user, with its position and source line if these are known.
struct Error {
  ErrorKind kind = ErrorKind::work;
  std::string message;                ///< One sentence, no trailing newline.
  std::optional<TextLocation> where;  ///< The position in a source file, if any.
  std::string sourceLine;             ///< That line of the file; empty if unknown.
  /// A time limit was reached; on a less busy machine, the same work may succeed.
  bool late = false;
};

/// `message` names the mistake and says what to do instead.
[[nodiscard]] Error requestError(std::string message);
[[nodiscard]] Error workError(std::string message);
/// A work error caused by a time limit.
[[nodiscard]] Error lateError(std::string message);

/// "file:line:column: message", then the source line, if known, with a caret under the column.
/// Control characters in the line are replaced by '?', and a long line is cut around the column.
[[nodiscard]] std::string toString(const Error& error);

}  // namespace tilestep
