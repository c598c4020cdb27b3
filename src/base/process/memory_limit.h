// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace tilestep {

/// The most memory that this process may use, and the source of that limit.
struct MemoryLimit {
  uint64_t bytes = 0;
  std::string reason;  ///< Part of a sentence: "the machine has", "its control group may use".
};

/// The smallest of the machine's memory, the limits of the process's control groups and their
/// ancestors (cgroup v1 and v2), and the process's resource limits (ulimit -v and -d). Tests pass
/// another `root`, the folder that contains proc/ and sys/.
[[nodiscard]] MemoryLimit memoryLimit(const std::filesystem::path& root = "/");

}  // namespace tilestep
