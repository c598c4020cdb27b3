// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grade/grade.h"
#include "grade/hidden_launches.h"
#include "grade/rules.h"
#include "trace/counters.h"

/// Counts of a submission compared with those of the solution.
namespace tilestep::grade {

struct LaunchCounts {
  trace::Counters counters;
  std::vector<std::string> uncertain;  ///< Counters that may differ on a GPU.
};

/// Whether the counter is uncertain at the launch, so that it cannot be marked.
[[nodiscard]] bool isUncertain(const LaunchCounts& launch, const std::string& counter);

/// Whether a rule cannot be decided: at some launch the solution's count is certain but the
/// submission's is not, or the solution's count is certain at no launch. Both vectors are by
/// launch; the submission's may be shorter.
[[nodiscard]] bool isUndecided(const CountRule& rule, const std::vector<LaunchCounts>& submission,
                               const std::vector<LaunchCounts>& solution);

/// Sums the counter over the launches at which the solution's count is certain, and over those of
/// them with the default tunables. Returns the sum that is the larger multiple of the solution's
/// sum. A sum over all launches could hide that a kernel has no tiles, because tiles of one element
/// save nothing and load most. Absent if a launch was not counted, or no launch is certain. All
/// three vectors are by launch.
[[nodiscard]] std::optional<CountResult> countOf(const CountRule& rule,
                                                 const std::vector<LaunchCounts>& submission,
                                                 const std::vector<LaunchCounts>& solution,
                                                 const std::vector<HiddenLaunch>& launches);

/// Whether the submission's count is within the rule's limit.
[[nodiscard]] bool fits(const CountResult& count);

/// "global_load_sectors is 3.1 times the solution's, but only 1.2 times is allowed."
[[nodiscard]] std::string tooMany(const CountResult& count);

}  // namespace tilestep::grade
