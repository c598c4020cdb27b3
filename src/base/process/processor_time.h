// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>

/// The processor time of a process, which does not depend on the machine's load: user and system
/// time of all its threads, with the resolution of the system's clock ticks (10 ms). A child's time
/// is added to its parent's when the parent waits for it. The time of a child that is never waited
/// for, because the parent ignores SIGCHLD or ended first, is lost when the child ends.
namespace tilestep {

/// The time of the process and of the children that it waited for. Available until the process's
/// parent waits for it; 0 if there is no such process.
[[nodiscard]] std::chrono::milliseconds processorTimeOf(pid_t process);

/// The time of all processes in a group, and of the children that they waited for. Reads the
/// statistics of every process on the machine, so call it rarely. A child whose parent waits for it
/// during the call may be missed or counted twice, so call it twice before you act on the result.
[[nodiscard]] std::chrono::milliseconds processorTimeOfGroup(pid_t group);

}  // namespace tilestep
