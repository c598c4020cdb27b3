// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include "base/descriptor.h"

namespace tilestep::worker {

/// Lends the terminal to another process group, so that ssh can ask for a password, and takes it
/// back when destroyed. Does nothing if there is no terminal, or if it is not ours to lend.
class TerminalLoan {
 public:
  TerminalLoan() = default;
  explicit TerminalLoan(pid_t group);
  TerminalLoan(TerminalLoan&&) noexcept = default;
  TerminalLoan& operator=(TerminalLoan&& other) noexcept;
  ~TerminalLoan() { end(); }
  void end();

 private:
  Descriptor terminal_;
};

}  // namespace tilestep::worker
