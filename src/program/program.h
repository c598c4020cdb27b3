// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process/time_watch.h"
#include "base/result.h"

namespace tilestep::program {

/// A whole program as its author wrote it: files with host and device code.
struct Sources {
  std::vector<std::string> files;     ///< .cu, and .cpp or .c for the host alone; at least one.
  std::vector<std::string> includes;  ///< Folders, as -I takes them.
  std::vector<std::string> defines;   ///< "NAME" or "NAME=VALUE", as -D takes them.
  std::string standard = "c++17";     ///< As -std= takes it.
};

/// Tilestep's files for compiling programs.
struct Tools {
  std::filesystem::path headers;  ///< assets/runtime
  std::filesystem::path library;  ///< libtilestep_guest.a
  std::filesystem::path cache;    ///< A folder of ours; empty: nothing is kept.
  /// "sm_90": the GPU whose registers ptxas tells, where it is there; empty: it is not asked.
  std::string arch;
};

/// A program that is ready to run.
struct Built {
  std::filesystem::path path;  ///< Of the executable.
  std::string compiler;        ///< "clang 14.0.6"
  std::string warnings;        ///< The compiler's output.
  bool cached = false;
};

/// Compiles both halves of each file with the newest clang and links them with the runtime. The
/// executable lies in `folder` or in the cache. What the compiler refuses is an Error of kind
/// request with its place; the message names all functions that are missing.
Result<Built> build(const Sources& sources, const Tools& tools, const std::filesystem::path& folder,
                    const TimeLimits& limits);

}  // namespace tilestep::program
