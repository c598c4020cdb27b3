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

/// The counter over all launches; nothing where one of them was not counted.
[[nodiscard]] std::optional<CountResult> countOf(const CountRule& rule,
                                                 const std::vector<trace::Counters>& submission,
                                                 const std::vector<trace::Counters>& solution);

/// "global_load_sectors is 3.1 times the solution's, and 1.2 times is the most."
[[nodiscard]] std::string tooMany(const CountResult& count);

}  // namespace tilestep::grade
