// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/process/time_watch.h"
#include "base/result.h"

namespace tilestep {

struct CommandResult {
  int exitStatus = 0;     ///< 128 + signal where one ended it, as a shell says it.
  bool timedOut = false;  ///< It was ended because it reached one of its limits of time.
  std::string output;     ///< Its standard output and standard error, as they came.
  std::string limit;      ///< Where it timed out, that limit: "60.0 s of processor time", "600 s".
  /// What it used, with all that it started and waited for, in steps of 10 ms.
  std::chrono::milliseconds processorTime{0};
};

struct CommandRules {
  TimeLimits time{std::chrono::milliseconds(60'000)};
  size_t maxBytes = size_t{16} << 20;  ///< What it prints beyond is read and dropped.
  /// NAME=VALUE; its whole environment. Absent: ours.
  std::optional<std::vector<std::string>> environment;
  /// Asked every few milliseconds; the program is stopped once it says so. May be empty.
  std::function<bool()> cancelled;
};

/// Runs a program (looked for on PATH) to its end without a shell, its input empty. When it
/// reaches a limit of time, it and its children are killed, and its children are killed when it
/// ends. Cancelling is an Error. `processorTime` sets the clock's limit as well (TimeLimits).
Result<CommandResult> runCommand(const std::vector<std::string>& words, const CommandRules& rules);
Result<CommandResult> runCommand(const std::vector<std::string>& words,
                                 std::chrono::milliseconds processorTime,
                                 size_t maxBytes = size_t{16} << 20);

/// The program's path on PATH, or empty.
[[nodiscard]] std::string findOnPath(const std::string& program);

}  // namespace tilestep
