// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tilestep {

/// The most memory that this process may use, and the origin of that limit.
struct MemoryLimit {
  uint64_t bytes = 0;
  std::string reason;  ///< As part of a sentence: "the machine has", "its control group may use".
};

/// The smallest of the machine's memory, the limits of the process's control groups (version 1 and
/// 2, those of all groups above it included) and its own resource limits (ulimit -v and -d).
/// `root`: the parent of /proc and /sys, for tests.
[[nodiscard]] MemoryLimit memoryLimit(const std::filesystem::path& root = "/");

}  // namespace tilestep
