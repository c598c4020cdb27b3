// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>

#include "compile/kernel.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// The inferences that a person can refuse, by compile::Assumption::what.
inline constexpr const char* kOperation = "operation";
inline constexpr const char* kPhases = "phases";

/// What a launch is known to be beside what its result holds.
struct LaunchFacts {
  std::string name;     ///< Among all kernels: "hw1 #2".
  std::string title;    ///< The kernel's name as its author wrote it: "tile<16>".
  std::string formula;  ///< What it seems to compute: "A · B"; empty: nothing that is known.
  std::string output;   ///< The operand that holds it: "C".
  /// What a person does not want inferred: kOperation, kPhases.
  std::set<std::string> refused = {};
};

/// A program's launch as a kernel that can be chosen, from the result of one traced run of it. Its
/// plan is the launch's own. Where the launch seems to be a product of matrices, its shapes are
/// called m, n and k as in other products. Phases are the passes of the loop whose barriers the
/// traced block went through. Inferences are in `assumed`.
[[nodiscard]] compile::KernelSpec specOfLaunch(const RunResult& traced, const LaunchFacts& facts);

/// Gives the result of such a launch the spec's plan, with its names.
void takePlan(const compile::KernelSpec& spec, RunResult& result);

/// A loop with barriers, as a block went through it.
struct BarrierLoop {
  uint32_t before = 0;  ///< Barriers passed before the first pass.
  uint32_t period = 0;  ///< Barriers of one pass; 0: no loop was found.
  uint32_t passes = 0;  ///< At least 2.
};

/// `lines`: of the barriers that the block went through, in order. The loop is the repetition that
/// covers most of them.
[[nodiscard]] BarrierLoop loopOf(const std::vector<uint32_t>& lines);

}  // namespace tilestep::lab
