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
  std::string counter;  ///< As `run --json` calls it: "global_load_sectors".
  double atMost = 1;    ///< Times the solution's count at the same launch.
  double marks = 1;
};

/// How submissions are graded: the table [grading] of a spec. docs/grading.md describes it.
struct Rules {
  /// Launches that every submission is run at, before those that are drawn.
  std::vector<compile::LaunchChoice> launches;
  size_t drawn = 12;    ///< How many more are drawn from the seed.
  int64_t largest = 0;  ///< No drawn size is greater; 0: as far as the work allows.
  std::array<double, lab::kCriteria> marks{1, 1, 1, 1, 1, 1};  ///< By criterion.
  std::vector<CountRule> counts;
  std::string solution;  ///< A kernel's name, or a file beside the spec; empty: there is none.
  std::vector<std::string> untested;  ///< What these rules do not test, in sentences.
};

inline constexpr size_t kMostLaunches = 40;

/// The rules of a spec; the defaults where it has no table [grading]. Everything is checked: an
/// unknown key, a value out of its range, a launch that is not legal, an unknown counter, and
/// counts without a solution are errors with file, line and reason.
Result<Rules> readRules(const compile::Spec& spec);

}  // namespace tilestep::grade
