// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "features/names.h"
#include "features/program/fixes.h"

/// Changes for findings in a kernel. Each is absent if its place in the text is not clear. Pure.
namespace tilestep::features {

/// A barrier between the two accesses of a race in shared memory.
[[nodiscard]] std::optional<CodeFix> addBarrier(const lab::ProgramFinding& finding,
                                                std::string_view source);
/// "if (i < n)" before a statement that accesses an array out of bounds.
[[nodiscard]] std::optional<CodeFix> addGuard(const lab::ProgramFinding& finding,
                                              std::string_view source);
/// "float acc;" becomes "float acc = 0;": the nearest variable above that the line changes or uses.
[[nodiscard]] std::optional<CodeFix> setVariable(const lab::ProgramFinding& finding,
                                                 std::string_view source);

}  // namespace tilestep::features
