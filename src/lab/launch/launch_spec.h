// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "compile/kernel.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// The inferences that a user can reject, by compile::Assumption::what.
inline constexpr const char* kOperation = "operation";
inline constexpr const char* kPhases = "phases";

/// Facts about a launch that are not in its result.
struct LaunchFacts {
  std::string name;     ///< Unique among all kernels: "hw1 #2".
  std::string title;    ///< The kernel's name as its author wrote it: "tile<16>".
  std::string formula;  ///< The operation that it seems to compute: "A · B"; empty: unknown.
  std::string output;   ///< The operand that holds the operation's result: "C".
  /// Inferences that the user rejected: kOperation, kPhases.
  std::set<std::string> refused = {};
};

/// A selectable kernel made from a program's launch, from the result of one traced run of it. Its
/// plan is the launch's own. If the launch seems to be a matrix product, its sizes are named m, n
/// and k, as in other products. Phases are the iterations of the barrier loop that the traced block
/// executed. Inferences are listed in `assumed`.
[[nodiscard]] compile::KernelSpec specOfLaunch(const RunResult& traced, const LaunchFacts& facts);

/// Gives the result of such a launch the plan of `spec`, with its names.
void takePlan(const compile::KernelSpec& spec, RunResult& result);

/// A loop with barriers, as a block executed it.
struct BarrierLoop {
  uint32_t before = 0;  ///< Barriers before the first iteration.
  uint32_t period = 0;  ///< Barriers per iteration; 0: no loop was found.
  uint32_t passes = 0;  ///< At least 2.
};

/// `lines`: of the barriers that the block reached, in order. The loop is the repetition that
/// covers most of them.
[[nodiscard]] BarrierLoop loopOf(const std::vector<uint32_t>& lines);

}  // namespace tilestep::lab
