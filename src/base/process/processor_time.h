// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>

/// How long processors have worked for a process, whatever else the machine does: of user and of
/// system time, of all its threads, in steps of the system's clock ticks (10 ms). Time of children
/// counts from the moment at which their parent has waited for them; where it never does, because
/// it ignores SIGCHLD or has ended before them, what they used is lost when they end.
namespace tilestep {

/// What the process and its ended children have used. A process that has ended counts until
/// somebody waits for it; 0 where there is none.
[[nodiscard]] std::chrono::milliseconds processorTimeOf(pid_t process);

/// What the processes of a group that are there now have used, and their ended children. Looks at
/// every process of the machine, so it is not for every few milliseconds. A child that is waited
/// for meanwhile may be missing or be counted twice, so ask twice before acting on it.
[[nodiscard]] std::chrono::milliseconds processorTimeOfGroup(pid_t group);

}  // namespace tilestep
