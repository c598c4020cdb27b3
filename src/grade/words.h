// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "compile/kernel.h"
#include "grade/grade.h"
#include "lab/judge/judgement.h"

/// Texts on submissions, without hidden sizes or data.
namespace tilestep::grade {

/// In bytes. A compiler's message may quote names of any length from the file.
inline constexpr size_t kLongestText = 600;

/// The message with its line in the file, if it has one: "line 7: …".
[[nodiscard]] std::string lineText(const Error& error);

/// The reason why a criterion earns no marks, with the line.
[[nodiscard]] std::string criterionFailed(lab::Criterion criterion,
                                          const lab::Judgement& judgement);

/// "P[0][5]", or "P[5]" if the operand has no columns.
[[nodiscard]] std::string elementName(const compile::Plan& plan, uint32_t operand,
                                      uint64_t element);

/// "an access outside its array", for a fault's kind; an unknown kind itself.
[[nodiscard]] std::string faultName(const std::string& kind);

}  // namespace tilestep::grade
