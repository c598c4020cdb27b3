// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "compile/kernel.h"
#include "grade/grade.h"
#include "grade/rules.h"
#include "lab/judge/judgement.h"
#include "trace/counters.h"

/// What is said of submissions. None of it holds hidden sizes or data.
namespace tilestep::grade {

/// The message with its line in the file, where it has one: "line 7: …".
[[nodiscard]] std::string lineText(const Error& error);

/// Why a criterion gives no marks, and at which line.
[[nodiscard]] std::string criterionFailed(lab::Criterion criterion,
                                          const lab::Judgement& judgement);

/// "P[0][5]", or "P[5]" where the operand has no columns.
[[nodiscard]] std::string elementName(const compile::Plan& plan, uint32_t operand,
                                      uint64_t element);

/// What one launch counted.
struct LaunchCounts {
  trace::Counters counters;
  std::vector<std::string> uncertain;  ///< Counters that a GPU may count otherwise here.
};

/// Whether the launch's count of this counter decides no mark, because it is uncertain.
[[nodiscard]] bool isUncertain(const LaunchCounts& launch, const std::string& counter);

/// The counter over the launches at which the solution's count is certain; nothing where one of
/// them was not counted, or there is none.
[[nodiscard]] std::optional<CountResult> countOf(const CountRule& rule,
                                                 const std::vector<LaunchCounts>& submission,
                                                 const std::vector<LaunchCounts>& solution);

/// "an access outside its array", for a fault's kind; the kind itself where it is none of ours.
[[nodiscard]] std::string faultName(const std::string& kind);

/// "global_load_sectors is 3.1 times the solution's, and 1.2 times is the most."
[[nodiscard]] std::string tooMany(const CountResult& count);

}  // namespace tilestep::grade
