// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/front_matter/spec.h"
#include "compile/kernel.h"
#include "lab/judge/criterion.h"

namespace tilestep::grade {

/// A limit on a count, relative to the teacher's own kernel: "at most 1.2 times its loads".
struct CountRule {
  std::string counter;  ///< As in `run --json`: "global_load_sectors".
  double atMost = 1;    ///< In multiples of the solution's count.
  double marks = 1;
};

/// The table [grading] of a spec (docs/grading.md).
struct Rules {
  /// Launches for every submission, before the drawn ones.
  std::vector<compile::LaunchChoice> launches;
  size_t drawn = 12;    ///< The number of launches drawn from the seed.
  int64_t largest = 0;  ///< The largest drawn size; 0 if only the work limits it.
  std::array<double, lab::kCriteria> marks{1, 1, 1, 1, 1, 1};  ///< By criterion.
  std::vector<CountRule> counts;
  std::string solution;  ///< A kernel's name, or a file beside the spec; empty if there is none.
  std::vector<std::string> untested;  ///< Aspects that these rules do not test, in sentences.
};

inline constexpr size_t kMostLaunches = 40;

/// The rules of a spec, or the defaults if it has no table [grading]. Errors, with file, line and
/// reason: an unknown key or counter, a value out of range, an illegal launch, or counts without a
/// solution.
Result<Rules> readRules(const compile::Spec& spec);

}  // namespace tilestep::grade
