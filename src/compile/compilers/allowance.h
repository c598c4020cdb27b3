// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "base/process/run_command.h"
#include "compile/compiler.h"

namespace tilestep::compile {

/// Limits shared by several runs of a compiler's programs.
class Allowance {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Allowance(CompileLimits whole, Clock::time_point now = Clock::now());

  /// The limits for the next run, with the remaining wall and processor time, possibly 0.
  [[nodiscard]] CompileLimits left(Clock::time_point now = Clock::now()) const;
  /// Subtracts the time of a run. If it reached its limit, sets `ran.limit` to the shared limit.
  void takeOff(CommandResult& ran);

 private:
  CompileLimits whole_;
  std::chrono::milliseconds used_{0};  ///< Processor time.
  Clock::time_point end_;
};

}  // namespace tilestep::compile
