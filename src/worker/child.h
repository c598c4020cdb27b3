// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "worker/descriptor.h"

namespace tilestep::worker {

/// A started program with pipes on its standard streams. Ours do not block and are not inherited.
struct Child {
  pid_t process = -1;  ///< Also its process group, which holds what it starts.
  Descriptor input;    ///< Write to its standard input.
  Descriptor output;   ///< Read its standard output.
  Descriptor errors;   ///< Read its standard error.
};

/// Starts words[0], looked for on PATH.
Result<Child> spawn(const std::vector<std::string>& words);

/// How a process ended: "exit status 3", "signal SIGSEGV".
[[nodiscard]] std::string describeEnd(int waitStatus);

/// Whether the process ends within `patience`. It stays to be reaped, so that its group's number
/// is not given to another one.
bool endsWithin(pid_t process, std::chrono::milliseconds patience);

/// Kills what is left of the group, waits for the process and gives its wait status. A process that
/// the system does not let go of within two seconds is left to it.
int killAndReap(pid_t process);

/// Two ends of a pipe: read from the first what is written to the second. Not inherited.
struct Pipe {
  Descriptor read, write;
};
Result<Pipe> makePipe();

}  // namespace tilestep::worker
