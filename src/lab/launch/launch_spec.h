// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "compile/kernel.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// Values of compile::Assumption::what for the inferences that a user can reject.
inline constexpr const char* kOperation = "operation";
inline constexpr const char* kPhases = "phases";

/// Facts about a launch that its result does not contain.
struct LaunchFacts {
  std::string name;   ///< Unique among all kernels: "hw1 #2".
  std::string title;  ///< The kernel's name as its author wrote it: "tile<16>".
  /// The operation that the launch seems to compute: "A · B"; empty if unknown.
  std::string formula;
  std::string output;  ///< The operand that holds the operation's result: "C".
  /// Inferences that the user rejected: kOperation, kPhases.
  std::set<std::string> refused = {};
};

/// Makes a selectable kernel from the result of one traced run of a program's launch. The kernel's
/// plan is the launch's own. If the launch seems to be a matrix product, its sizes are named m, n
/// and k, as in other products. Phases are the iterations of the barrier loop that the traced block
/// executed. Inferences are listed in `assumed`.
[[nodiscard]] compile::KernelSpec specOfLaunch(const RunResult& traced, const LaunchFacts& facts);

/// Replaces the plan of a launch's result by that of `spec`, unless their operands differ.
void takePlan(const compile::KernelSpec& spec, RunResult& result);

/// A loop with barriers, as a block executed it.
struct BarrierLoop {
  uint32_t before = 0;  ///< Barriers before the first iteration.
  uint32_t period = 0;  ///< Barriers per iteration; 0 if no loop was found.
  uint32_t passes = 0;  ///< At least 2.
};

/// Finds the repetition that covers the most of `lines`: the lines of the barriers that a block
/// reached, in order.
[[nodiscard]] BarrierLoop loopOf(const std::vector<uint32_t>& lines);

}  // namespace tilestep::lab
