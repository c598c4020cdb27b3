// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "base/process/run_command.h"
#include "compile/compiler.h"

namespace tilestep::compile {

/// The limits that several runs of a compiler's programs have together.
class Allowance {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Allowance(CompileLimits whole, Clock::time_point now = Clock::now());

  /// With the time of both kinds that is left for the next run, which may be none.
  [[nodiscard]] CompileLimits left(Clock::time_point now = Clock::now()) const;
  /// Takes off what that run has used. Where it reached what was left, its limit is that of all
  /// runs together.
  void takeOff(CommandResult& ran);

 private:
  CompileLimits whole_;
  std::chrono::milliseconds used_{0};  ///< Of processor time.
  Clock::time_point end_;
};

}  // namespace tilestep::compile
