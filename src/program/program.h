// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process/time_watch.h"
#include "base/result.h"

namespace tilestep::program {

/// A whole program: files with host and device code.
struct Sources {
  std::vector<std::string> files;     ///< .cu, and .cpp or .c for host code only; at least one.
  std::vector<std::string> includes;  ///< Folders, as for -I.
  std::vector<std::string> defines;   ///< "NAME" or "NAME=VALUE", as for -D.
  std::string standard = "c++17";     ///< As for -std=.
};

/// Tilestep's files for compiling programs.
struct Tools {
  std::filesystem::path headers;  ///< assets/runtime
  std::filesystem::path library;  ///< libtilestep_guest.a
  std::filesystem::path cache;    ///< A folder for built programs; if empty, none are kept.
  /// The GPU ("sm_90") for which ptxas reports registers. If empty, ptxas is not used.
  std::string arch;
};

/// A program that is ready to run.
struct Built {
  std::filesystem::path path;  ///< The path of the executable.
  std::string compiler;        ///< "clang 14.0.6"
  std::string warnings;        ///< The compiler's output.
  bool cached = false;
};

/// Compiles both halves of each file with the newest clang and links them with the runtime. The
/// executable is in `folder` or in the cache. A source error is an Error of kind request with its
/// location, and its message names all missing functions.
Result<Built> build(const Sources& sources, const Tools& tools, const std::filesystem::path& folder,
                    const TimeLimits& limits);

}  // namespace tilestep::program
