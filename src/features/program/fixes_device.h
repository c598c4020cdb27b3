// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "features/names.h"
#include "features/program/fixes.h"

/// Changes that fix findings in a kernel. Absent if the position in the text is ambiguous. Pure.
namespace tilestep::features {

/// Adds a barrier between the two accesses of a race in shared memory.
[[nodiscard]] std::optional<CodeFix> addBarrier(const lab::ProgramFinding& finding,
                                                std::string_view source);
/// Adds "if (i < n)" before a statement that accesses an array out of bounds.
[[nodiscard]] std::optional<CodeFix> addGuard(const lab::ProgramFinding& finding,
                                              std::string_view source);
/// Initialises the variable that the line uses: "float acc;" becomes "float acc = 0;".
[[nodiscard]] std::optional<CodeFix> setVariable(const lab::ProgramFinding& finding,
                                                 std::string_view source);

}  // namespace tilestep::features
