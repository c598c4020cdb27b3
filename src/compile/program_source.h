// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// A user's whole program.
namespace tilestep::compile {

/// How a program is compiled and run. Equal objects with equal source files behave the same.
struct ProgramSource {
  std::string path;                    ///< The .cu file, with its full path.
  std::string folder;                  ///< The program's working folder; if empty, Tilestep's.
  std::vector<std::string> arguments;  ///< Without the program's name.
  std::vector<std::string> includes;   ///< Folders, as for -I.
  std::vector<std::string> defines;    ///< "NAME" or "NAME=VALUE", as for -D.
  std::string standard = "c++17";      ///< As for -std=.
  std::string input;                   ///< The program's stdin; if empty, this process's stdin.
  double timeoutSeconds = 600;         ///< For the whole run; the program is then killed.
  bool operator==(const ProgramSource&) const = default;
};

/// One launch of a program.
struct ProgramLaunch {
  ProgramSource program;
  uint64_t number = 1;  ///< The index among the program's launches, from 1.
  /// Determines the order in which the interpreter runs blocks and warps; 0 for the usual order.
  uint64_t order = 0;
  /// Incremented when the user reruns the program, whose headers and data may have changed.
  uint64_t run = 0;
  bool operator==(const ProgramLaunch&) const = default;
};

/// Whether a .cu file is a program with a `main` function, and not a kernel file with front matter
/// in `text` or in the .toml file beside `path`.
[[nodiscard]] bool isProgram(const std::string& path, std::string_view text);

}  // namespace tilestep::compile
