// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Limits for a program that processes untrusted input, such as a compiler. Its children inherit
/// them, and no process can lift them.
namespace tilestep {

struct Confinement {
  uint64_t memoryBytes = 0;  ///< Of address space. In this and the next two, 0 means no limit.
  uint64_t fileBytes = 0;    ///< Largest size of a file that it writes.
  uint64_t cpuSeconds = 0;
  /// The process that starts the program, or 0. The program is killed when that process ends, or
  /// the thread that started the program.
  pid_t parent = 0;
  /// Kills all descendants of a confined command, too, when `parent` ends; requires `parent`. It
  /// leads a new process group, which they must not leave. confine() ignores this field.
  bool endsAll = false;
  /// Files and folders (with their contents) that the program may read, and those that it may also
  /// change. If `keepsFiles`, access to all others is denied.
  std::vector<std::filesystem::path> readable, writable;
  bool keepsFiles = false;
};

/// The exit status of a confined command whose program could not be started or confined.
constexpr int kCannotRun = 126;

/// Whether this system can restrict file access (Landlock, Linux 5.13 or later, if enabled).
[[nodiscard]] bool canKeepFiles();

/// Confines this process. False if any limit could not be set.
bool confine(const Confinement& limits);

/// The command line that runs `words` under these limits. `program` must call runIfConfined() in
/// its main(). The command inherits the environment.
[[nodiscard]] std::vector<std::string> confinedCommand(const std::string& program,
                                                       const Confinement& limits,
                                                       const std::vector<std::string>& words);

/// If the arguments come from confinedCommand(), replaces this process by the confined program, or,
/// with `endsAll`, runs the program in a child. Returns the child's exit status, or kCannotRun on
/// failure. For any other arguments, returns nothing.
std::optional<int> runIfConfined(int argc, char** argv);

}  // namespace tilestep
