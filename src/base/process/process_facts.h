// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

namespace tilestep {

/// The fields of /proc/PID/stat from the third, the process's state, to the last (proc(5)). Empty
/// if the process does not exist or ends during the call.
[[nodiscard]] std::string processStat(pid_t process);

/// "alice", or the user ID if the user has no name. Thread-safe.
[[nodiscard]] std::string userName(uid_t user);

/// The process that holds an flock on this open file, as "process 123 of alice", according to
/// /proc/locks. Empty if there is none, or if it is invisible from this container.
[[nodiscard]] std::string lockHolder(int file);

}  // namespace tilestep
