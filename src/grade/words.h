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

/// Sentences about submissions that reveal no hidden sizes or data.
namespace tilestep::grade {

/// In bytes. Limits messages of compilers, which may quote names of any length.
inline constexpr size_t kLongestText = 600;

/// The message with its line in the file, if it has one: "line 7: …".
[[nodiscard]] std::string lineText(const Error& error);

/// Why a criterion earns no marks, with the line.
[[nodiscard]] std::string criterionFailed(lab::Criterion criterion,
                                          const lab::Judgement& judgement);

/// "P[0][5]", or "P[5]" if the operand has no columns.
[[nodiscard]] std::string elementName(const compile::Plan& plan, uint32_t operand,
                                      uint64_t element);

/// "an access outside its array" for a fault's kind; an unknown kind is returned unchanged.
[[nodiscard]] std::string faultName(const std::string& kind);

}  // namespace tilestep::grade
