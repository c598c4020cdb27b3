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
  int exitStatus = 0;     ///< As exitStatusOf() returns it.
  bool timedOut = false;  ///< It reached one of its time limits.
  std::string output;     ///< Its standard output and standard error, interleaved.
  std::string limit;      ///< The limit, if it timed out: "60.0 s of processor time", "600 s".
  /// Its processor time, including the children that it waited for, with a resolution of 10 ms.
  std::chrono::milliseconds processorTime{0};
};

struct CommandRules {
  TimeLimits time{std::chrono::milliseconds(60'000)};
  size_t maxBytes = size_t{16} << 20;  ///< Further output is read and dropped.
  /// The whole environment, as NAME=VALUE. If absent, ours is inherited.
  std::optional<std::vector<std::string>> environment;
  /// Called every few milliseconds; stops the program if it returns true. May be empty.
  std::function<bool()> cancelled;
};

/// Runs a program (searched for on PATH) without a shell and with empty input, until it ends or
/// reaches a time limit; then kills its process group. Fails if cancelled. `processorTime` also
/// sets the limit of elapsed time (TimeLimits).
Result<CommandResult> runCommand(const std::vector<std::string>& words, const CommandRules& rules);
Result<CommandResult> runCommand(const std::vector<std::string>& words,
                                 std::chrono::milliseconds processorTime,
                                 size_t maxBytes = size_t{16} << 20);

/// The program's path on PATH, or empty.
[[nodiscard]] std::string findOnPath(const std::string& program);

}  // namespace tilestep
