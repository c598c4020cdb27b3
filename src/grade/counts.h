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

/// The counts of one launch.
struct LaunchCounts {
  trace::Counters counters;
  std::vector<std::string> uncertain;  ///< Counters that may differ on a GPU.
};

/// Whether this counter is uncertain at the launch, so that it cannot be marked.
[[nodiscard]] bool isUncertain(const LaunchCounts& launch, const std::string& counter);

/// Whether the submission's count is uncertain at a launch at which the solution's is certain, or
/// the solution's is certain at none. Both vectors are by launch; the submission's may be shorter.
[[nodiscard]] bool isUndecided(const CountRule& rule, const std::vector<LaunchCounts>& submission,
                               const std::vector<LaunchCounts>& solution);

/// The counter's sum over the launches at which the solution's count is certain, or over those
/// among them with the default tunables, whichever is the larger multiple of the solution's sum.
/// Tiles of one element save nothing and load most, so in the first sum alone, launches with such
/// tunables would hide that a kernel has no tiles. Absent if a launch was not counted, or none is
/// certain. All three vectors are by launch.
[[nodiscard]] std::optional<CountResult> countOf(const CountRule& rule,
                                                 const std::vector<LaunchCounts>& submission,
                                                 const std::vector<LaunchCounts>& solution,
                                                 const std::vector<HiddenLaunch>& launches);

/// Whether the submission's count is within the rule's limit.
[[nodiscard]] bool fits(const CountResult& count);

/// "global_load_sectors is 3.1 times the solution's, and 1.2 times is allowed."
[[nodiscard]] std::string tooMany(const CountResult& count);

}  // namespace tilestep::grade
