// SPDX-License-Identifier: Apache-2.0
// The one place that starts other programs: workers, compilers, and what the tests run.
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
  std::vector<std::string> environment;  ///< NAME=VALUE, added to our own; these win.
  bool hasOnlyThat = false;              ///< Nothing of our own environment.
  std::string folder;                    ///< Where it runs; empty: where we do.
  bool takesInput = false;    ///< A pipe from us is its standard input, which else is empty.
  bool joinsOutputs = false;  ///< What it writes to standard error comes in `output`, too.
  /// It and all that it starts give way to whatever else runs on the machine. It is then a session
  /// of its own, because Linux shares out its processors among sessions before priorities count.
  bool givesWay = false;
};

/// A program that was started without a shell, in a process group of its own, with pipes on its
/// standard streams. Our ends do not block. The destructor kills what is left of the group.
class ChildProcess {
 public:
  /// words[0] is looked for on PATH.
  static Result<ChildProcess> start(const std::vector<std::string>& words,
                                    const ChildOptions& options = {});
  ChildProcess(ChildProcess&& other) noexcept;
  ~ChildProcess();

  /// The number of the process and of its group; -1 once it is reaped.
  [[nodiscard]] pid_t id() const { return id_; }
  /// Sends the signal to the whole group.
  void signalGroup(int number) const;
  /// Whether the process ends within `patience`. It stays to be reaped, so that its group's number
  /// is not given to another one.
  [[nodiscard]] bool endsWithin(std::chrono::milliseconds patience) const;
  /// Waits for the process, kills what it left of its group, and gives its wait status.
  int reap();
  /// Kills the group, waits for the process and gives its wait status. A process that the system
  /// does not let go of within two seconds is left to it.
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
/// As a shell says it: 128 + signal where one ended it.
[[nodiscard]] int exitStatusOf(int waitStatus);

}  // namespace tilestep
