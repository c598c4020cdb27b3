// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grade/grade.h"
#include "grade/hidden_launches.h"
#include "grade/rules.h"
#include "trace/counters.h"

/// What launches count of a submission, beside what the solution counts.
namespace tilestep::grade {

/// What one launch counted.
struct LaunchCounts {
  trace::Counters counters;
  std::vector<std::string> uncertain;  ///< Counters that a GPU may count otherwise here.
};

/// Whether the launch's count of this counter decides no mark, because it is uncertain.
[[nodiscard]] bool isUncertain(const LaunchCounts& launch, const std::string& counter);

/// Whether it cannot be told what a GPU would count of the submission at the launches at which the
/// solution's count is certain, or there is no such launch. Both vectors are by launch; the
/// submission's may be shorter.
[[nodiscard]] bool isUndecided(const CountRule& rule, const std::vector<LaunchCounts>& submission,
                               const std::vector<LaunchCounts>& solution);

/// The counter over the launches at which the solution's count is certain, and over those of them
/// that have the default tunables; of these two sums the one that is more times the solution's.
/// Tiles of one element save nothing and load most, so launches with such tunables would hide in
/// the first sum alone that a kernel has no tiles. Nothing where a launch was not counted, or none
/// is certain. All three by launch.
[[nodiscard]] std::optional<CountResult> countOf(const CountRule& rule,
                                                 const std::vector<LaunchCounts>& submission,
                                                 const std::vector<LaunchCounts>& solution,
                                                 const std::vector<HiddenLaunch>& launches);

/// Whether the submission's count is within the rule's limit.
[[nodiscard]] bool fits(const CountResult& count);

/// "global_load_sectors is 3.1 times the solution's, and 1.2 times is the most."
[[nodiscard]] std::string tooMany(const CountResult& count);

}  // namespace tilestep::grade
