// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Limits for a program that processes foreign input, such as a compiler. They also hold for its
/// children, and cannot be lifted.
namespace tilestep {

struct Confinement {
  uint64_t memoryBytes = 0;  ///< Of address space; 0: no limit, here and below.
  uint64_t fileBytes = 0;    ///< The size limit of files that it writes.
  uint64_t cpuSeconds = 0;
  pid_t parent = 0;  ///< It is killed when its parent, which must be this process, ends, or the
                     ///< thread that started it.
  /// For a confined command that has a `parent`: its children, and theirs, are then killed as well.
  /// It leads a process group of its own, which none of them may leave. confine() ignores this.
  bool endsAll = false;
  /// Files, and folders with their contents, that it may open, and those that it may also change.
  /// All others are denied if `keepsFiles`.
  std::vector<std::filesystem::path> readable, writable;
  bool keepsFiles = false;
};

/// The exit status of a confined command whose program could not be started or confined.
constexpr int kCannotRun = 126;

/// Whether this system can deny files to a process (Landlock, in Linux since 5.13, if it is
/// turned on).
[[nodiscard]] bool canKeepFiles();

/// Confines this process. False if one of the limits could not be set.
bool confine(const Confinement& limits);

/// The command that runs `words` under these limits: `program` is a program whose main() calls
/// runIfConfined. The whole environment is `words[0]`'s.
[[nodiscard]] std::vector<std::string> confinedCommand(const std::string& program,
                                                       const Confinement& limits,
                                                       const std::vector<std::string>& words);

/// If the arguments are those of such a command, replaces this process by its program, and returns
/// an exit status only on failure; with `endsAll` it runs the program in a child, and
/// returns its exit status. Nothing for any other arguments.
std::optional<int> runIfConfined(int argc, char** argv);

}  // namespace tilestep
