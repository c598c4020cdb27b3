// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>

namespace tilestep {

/// The fields of /proc/PID/stat from the third on, the process's state (proc(5)). Empty if there is
/// no such process or it ends meanwhile.
[[nodiscard]] std::string processStat(pid_t process);

/// "alice", or the number if the user has no name. For any thread.
[[nodiscard]] std::string userName(uid_t user);

/// "process 123 of alice", which holds an flock on this open file according to /proc/locks. Empty
/// if no process does, or only one that is invisible from this container.
[[nodiscard]] std::string lockHolder(int file);

}  // namespace tilestep
