// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// For tests that start servers of their own.
namespace tilestep::support {

/// A folder under the system's temporary one that nobody else may enter; removed with the object.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name);
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] std::string path(const std::string& file = "") const;
  /// Writes a file; returns its path.
  std::string write(const std::string& file, const std::string& text) const;
  /// A file's text; empty where there is none.
  [[nodiscard]] std::string read(const std::string& file) const;

 private:
  std::filesystem::path folder_;
};

/// The program's path, looked for on PATH and in the folders for administrators; empty: none.
std::string findProgram(const std::string& name);
/// A TCP port of 127.0.0.1 that nothing listened on just now.
int freePort();
/// Something accepts connections there.
bool accepts(int port);
/// Asks again and again, at most about `seconds`; whether it became true.
bool becomesTrue(double seconds, const std::function<bool()>& condition);
/// Processes whose parent is `process`, without those that have ended.
std::vector<pid_t> childrenOf(pid_t process);
/// Processes with this NAME=VALUE in their environment, without those that have ended.
std::vector<pid_t> processesWith(const std::string& variable);

}  // namespace tilestep::support
