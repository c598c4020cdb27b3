// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/process/child_process.h"

namespace tilestep::support {

struct Finished {
  int status = -1;  ///< Exit status, or -N if signal N ended the program.
  std::string out, err;
};

using Words = std::vector<std::string>;

/// A program with its output in pipes. The destructor kills it and its process group if it still
/// runs.
class Running {
 public:
  /// `environment`: NAME=VALUE, added to this program's own.
  Running(const Words& words, const Words& environment = {});

  /// Sends a signal to the program, but not to the processes that it started.
  void signal(int number) const;
  [[nodiscard]] pid_t id() const { return child_ ? child_->id() : -1; }
  /// Reads its output until it ends.
  Finished wait();

 private:
  std::optional<ChildProcess> child_;
};

/// Runs the built `tilestep` with these arguments to its end. Its caches are in the build folder.
Finished tilestep(const Words& arguments, const Words& environment = {});
/// Like tilestep(); the test fails unless the exit status is `status`.
Finished expectStatus(int status, const Words& arguments, const Words& environment = {});
/// The words that start `tilestep`, for Running.
Words tilestepWords(const Words& arguments);
Words tilestepEnvironment(const Words& more = {});

/// A copy of the program's home (kernels, shaders, assets) in a temporary folder, whose files a
/// test may change; removed with the object.
class HomeCopy {
 public:
  HomeCopy();
  ~HomeCopy();
  HomeCopy(const HomeCopy&) = delete;
  HomeCopy& operator=(const HomeCopy&) = delete;

  [[nodiscard]] std::filesystem::path folder() const { return folder_; }
  /// For the parameter `environment`.
  [[nodiscard]] std::string variable() const { return "TILESTEP_HOME=" + folder_.string(); }
  [[nodiscard]] std::string read(const std::string& path) const;
  void write(const std::string& path, const std::string& text) const;

 private:
  std::filesystem::path folder_;
};

/// `text` with every `from` replaced. Fails the test if `from` does not occur.
std::string replaced(std::string text, const std::string& from, const std::string& to);

}  // namespace tilestep::support
