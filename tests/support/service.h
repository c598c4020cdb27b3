// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// Helpers for tests that start their own servers.
namespace tilestep::support {

/// A private folder in the system's temporary folder; removed with the object.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string path(const std::string& file = "") const;
  /// Writes a file; returns its path.
  std::string write(const std::string& file, const std::string& text) const;
  /// A file's text; empty if there is no file.
  [[nodiscard]] std::string read(const std::string& file) const;

 private:
  std::filesystem::path folder_;
};

/// The program's path, searched on PATH and in the administrators' folders; empty if not found.
std::string findProgram(const std::string& name);
/// A TCP port of 127.0.0.1 on which nothing was listening.
int freePort();
/// Whether a server accepts connections on the port.
bool accepts(int port);
/// Polls the condition for about `seconds` at most. Returns whether it became true.
bool becomesTrue(double seconds, const std::function<bool()>& condition);
/// Living processes whose parent is `process`.
std::vector<pid_t> childrenOf(pid_t process);
/// Living processes with this NAME=VALUE in their environment.
std::vector<pid_t> processesWith(const std::string& variable);

}  // namespace tilestep::support
