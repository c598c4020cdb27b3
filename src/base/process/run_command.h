// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilestep {

struct CommandResult {
  int exitStatus = 0;  ///< 128 + signal where one ended it, as a shell says it.
  bool timedOut = false;
  std::string output;  ///< Its standard output and standard error, as they came.
};

struct CommandRules {
  std::chrono::milliseconds timeout{60'000};
  size_t maxBytes = size_t{16} << 20;  ///< What it prints beyond is read and dropped.
  /// NAME=VALUE; its whole environment. Absent: ours.
  std::optional<std::vector<std::string>> environment;
  /// Asked every few milliseconds; the program is stopped once it says so. May be empty.
  std::function<bool()> cancelled;
};

/// Runs a program (looked for on PATH) to its end without a shell, its input empty. On a timeout it
/// and its children are killed, and its children are killed when it ends. Cancelling is an Error.
Result<CommandResult> runCommand(const std::vector<std::string>& words, const CommandRules& rules);
Result<CommandResult> runCommand(const std::vector<std::string>& words,
                                 std::chrono::milliseconds timeout,
                                 size_t maxBytes = size_t{16} << 20);

/// The program's path on PATH, or empty.
[[nodiscard]] std::string findOnPath(const std::string& program);

}  // namespace tilestep
