// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace tilestep {

/// What the system says about a running process.
struct ProcessFacts {
  uid_t user = 0;      ///< Its effective user.
  uint64_t start = 0;  ///< When it started, in clock ticks since the machine did.
  bool operator==(const ProcessFacts&) const = default;
};

/// Nothing where no such process runs, or where it has ended and only waits for its parent. The
/// number and the start together never name two processes.
[[nodiscard]] std::optional<ProcessFacts> processFacts(pid_t process);

/// The fields of /proc/PID/stat from the third on, the process's state (proc(5)). Empty where no such
/// process runs, or where it ends meanwhile.
[[nodiscard]] std::string processStat(pid_t process);

/// Names the set of processes in which the numbers of this process and its like are unique: a
/// container has its own. Empty where the system does not say.
[[nodiscard]] std::string processNamespace();

/// "alice", or the number where the user has no name. For any thread.
[[nodiscard]] std::string userName(uid_t user);

/// "process 123 of alice" who holds a flock on this open file, from the system's own list of locks;
/// empty where it does not say.
[[nodiscard]] std::string lockHolder(int file);

}  // namespace tilestep
