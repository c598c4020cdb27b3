// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// A user's whole program, as a kernel's source may refer to it.
namespace tilestep::compile {

/// How a program is compiled and run. A value: equal programs with equal texts behave the same.
struct ProgramSource {
  std::string path;                    ///< The .cu file, with its full path.
  std::string folder;                  ///< The program's working folder; empty: Tilestep's.
  std::vector<std::string> arguments;  ///< The program's own, without its name.
  std::vector<std::string> includes;   ///< Folders, as for -I.
  std::vector<std::string> defines;    ///< "NAME" or "NAME=VALUE", as for -D.
  std::string standard = "c++17";      ///< As for -std=.
  std::string input;                   ///< The text of its stdin; empty: this process's stdin.
  double timeoutSeconds = 600;         ///< For the whole run; the program is ended at the timeout.
  bool operator==(const ProgramSource&) const = default;
};

/// One launch of a program.
struct ProgramLaunch {
  ProgramSource program;
  uint64_t number = 1;  ///< Among the program's launches, from 1.
  /// The order in which its blocks and warps take turns in the interpreter; 0: the usual one.
  uint64_t order = 0;
  /// Incremented when the user reruns the program: its headers and data may have changed.
  uint64_t run = 0;
  bool operator==(const ProgramLaunch&) const = default;
};

/// Whether a .cu file with this text is a program with a `main` function, and not a kernel file
/// with front matter. `path`: front matter may also be in FILE.toml beside it.
[[nodiscard]] bool isProgram(const std::string& path, std::string_view text);

}  // namespace tilestep::compile
