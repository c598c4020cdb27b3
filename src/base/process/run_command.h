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
  int exitStatus = 0;     ///< 128 + signal if one ended it, as in a shell.
  bool timedOut = false;  ///< It reached one of its limits of time.
  std::string output;     ///< Its standard output and standard error, as they came.
  std::string limit;      ///< The limit, if it timed out: "60.0 s of processor time", "600 s".
  /// Its time with that of children it waited for, in steps of 10 ms.
  std::chrono::milliseconds processorTime{0};
};

struct CommandRules {
  TimeLimits time{std::chrono::milliseconds(60'000)};
  size_t maxBytes = size_t{16} << 20;  ///< Further output is read and dropped.
  /// NAME=VALUE; its whole environment. Absent: ours.
  std::optional<std::vector<std::string>> environment;
  /// Called every few milliseconds; true stops the program. May be empty.
  std::function<bool()> cancelled;
};

/// Runs a program (searched for on PATH) without a shell and with empty input, until it ends or
/// reaches a time limit; then it and its children are killed.
/// Cancelling is an Error. `processorTime` sets the clock's limit as well (TimeLimits).
Result<CommandResult> runCommand(const std::vector<std::string>& words, const CommandRules& rules);
Result<CommandResult> runCommand(const std::vector<std::string>& words,
                                 std::chrono::milliseconds processorTime,
                                 size_t maxBytes = size_t{16} << 20);

/// The program's path on PATH, or empty.
[[nodiscard]] std::string findOnPath(const std::string& program);

}  // namespace tilestep
