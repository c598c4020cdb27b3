// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>

/// The processor time of a process, which does not depend on the machine's load: user and system
/// time of all its threads, in steps of the system's clock ticks (10 ms). The time of children
/// counts once their parent has waited for them; if it never does, because
/// it ignores SIGCHLD or has ended before them, their time is lost when they end.
namespace tilestep {

/// The time of the process and of its ended children. A process that has ended counts until
/// its parent waits for it; 0 if there is no such process.
[[nodiscard]] std::chrono::milliseconds processorTimeOf(pid_t process);

/// The time of the processes that are now in a group, and of their ended children. Looks at
/// every process of the machine, so call it rarely. A child that its parent waits
/// for meanwhile may be missing or be counted twice, so ask twice before acting on it.
[[nodiscard]] std::chrono::milliseconds processorTimeOfGroup(pid_t group);

}  // namespace tilestep
