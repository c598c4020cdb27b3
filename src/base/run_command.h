// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilestep {

struct CommandResult {
  int exitStatus = 0;  ///< 128 + signal where one ended it, as a shell says it.
  bool timedOut = false;
  std::string output;  ///< Its standard output and standard error, as they came.
};

/// Runs a program (looked for on PATH) to its end without a shell, its input empty. What it prints
/// beyond `maxBytes` is read and dropped. On a timeout it and its children are killed, and its
/// children are killed when it ends.
Result<CommandResult> runCommand(const std::vector<std::string>& words,
                                 std::chrono::milliseconds timeout,
                                 size_t maxBytes = size_t{16} << 20);

/// The program's path on PATH, or empty.
[[nodiscard]] std::string findOnPath(const std::string& program);

}  // namespace tilestep
