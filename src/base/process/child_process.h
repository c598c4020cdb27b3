// SPDX-License-Identifier: Apache-2.0
// All other programs (workers, compilers, the tests' programs) are started here.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"

namespace tilestep {

/// How a program is started.
struct ChildOptions {
  std::vector<std::string> environment;  ///< NAME=VALUE; overrides the inherited value.
  bool hasOnlyThat = false;              ///< Inherits no other variables.
  std::string folder;                    ///< Its working folder; ours if empty.
  bool takesInput = false;               ///< Its stdin is a pipe from us; otherwise /dev/null.
  bool joinsOutputs = false;             ///< Its standard error is written to `output`, too.
  /// Runs the program and its children at the lowest priority in a new session, because Linux
  /// divides processor time among sessions before it considers priorities.
  bool givesWay = false;
};

/// A program that was started without a shell, in a new process group, with pipes as its standard
/// streams. Our ends of the pipes do not block. The destructor kills the group.
class ChildProcess {
 public:
  /// words[0] is searched for on PATH.
  static Result<ChildProcess> start(const std::vector<std::string>& words,
                                    const ChildOptions& options = {});
  ChildProcess(ChildProcess&& other) noexcept;
  ~ChildProcess();

  /// The process ID, which is also the group ID; -1 once the process is reaped.
  [[nodiscard]] pid_t id() const { return id_; }
  /// Sends the signal to the whole group.
  void signalGroup(int number) const;
  /// Whether the process ends within `patience`. It is not reaped, so its group ID is not reused.
  [[nodiscard]] bool endsWithin(std::chrono::milliseconds patience) const;
  /// Waits for the process, kills the rest of its group, and returns its wait status.
  int reap();
  /// Kills the group, waits for the process and returns its wait status. A process that is blocked
  /// in the kernel for more than two seconds is abandoned.
  int kill();

  Descriptor input;   ///< Write to its standard input.
  Descriptor output;  ///< Read its standard output.
  Descriptor errors;  ///< Read its standard error.

 private:
  ChildProcess() = default;
  pid_t id_ = -1;
};

/// How a process ended: "exit status 3", "signal SIGSEGV".
[[nodiscard]] std::string describeEnd(int waitStatus);
/// The exit status, or 128 + signal if a signal ended the process, as in a shell.
[[nodiscard]] int exitStatusOf(int waitStatus);

}  // namespace tilestep
