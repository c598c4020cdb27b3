// SPDX-License-Identifier: Apache-2.0
// The only place that starts other programs: workers, compilers, and those of tests.
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
  std::vector<std::string> environment;  ///< NAME=VALUE, which override our own.
  bool hasOnlyThat = false;              ///< Without our own environment.
  std::string folder;                    ///< Its working folder; empty: ours.
  bool takesInput = false;               ///< Its stdin is a pipe from us; otherwise /dev/null.
  bool joinsOutputs = false;             ///< Its standard error goes to `output`, too.
  /// It and its children run at the lowest priority, in a session of their own, because Linux
  /// shares its processors among sessions before priorities count.
  bool givesWay = false;
};

/// A program that was started without a shell, in a process group of its own, with pipes on its
/// standard streams. Our ends do not block. The destructor kills the rest of the group.
class ChildProcess {
 public:
  /// words[0] is searched for on PATH.
  static Result<ChildProcess> start(const std::vector<std::string>& words,
                                    const ChildOptions& options = {});
  ChildProcess(ChildProcess&& other) noexcept;
  ~ChildProcess();

  /// The number of the process and of its group; -1 once it is reaped.
  [[nodiscard]] pid_t id() const { return id_; }
  /// Sends the signal to the whole group.
  void signalGroup(int number) const;
  /// Whether the process ends within `patience`. It is not reaped, so that its group's number
  /// is not reused.
  [[nodiscard]] bool endsWithin(std::chrono::milliseconds patience) const;
  /// Waits for the process, kills the rest of its group, and returns its wait status.
  int reap();
  /// Kills the group, waits for the process and returns its wait status. A process that does not
  /// end within two seconds, because the system blocks it, is abandoned.
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
/// As in a shell: 128 + signal if one ended it.
[[nodiscard]] int exitStatusOf(int waitStatus);

}  // namespace tilestep
