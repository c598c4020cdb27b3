// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"

namespace tilestep::compile {

/// A folder that only this user can read; removed with all it holds.
class PrivateFolder {
 public:
  /// Its path is empty where none could be made.
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct CommandResult {
  int exitStatus = 0;  ///< 128 + signal where one ended it, as a shell says it.
  bool timedOut = false;
};

/// Runs a program (looked for on PATH) without a shell, its input empty and both its outputs in
/// `outputFile`. On a timeout it and its children are killed.
Result<CommandResult> runCommand(const std::vector<std::string>& command,
                                 const std::filesystem::path& outputFile,
                                 std::chrono::milliseconds timeout);

/// The program's path on PATH, or empty.
[[nodiscard]] std::filesystem::path findOnPath(const std::string& program);

}  // namespace tilestep::compile
