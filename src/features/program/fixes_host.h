// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "features/names.h"
#include "features/program/fixes.h"

/// Changes that fix findings in host code. Absent if the position is ambiguous. Pure.
namespace tilestep::features {

/// Replaces an element count by bytes: "n" becomes "n * sizeof(*d_x)".
[[nodiscard]] std::optional<CodeFix> countBytes(const lab::ProgramFinding& finding,
                                                std::string_view source);
/// Rounds up the grid: "n / threads" becomes "(n + threads - 1) / threads".
[[nodiscard]] std::optional<CodeFix> roundUp(const lab::ProgramFinding& finding,
                                             std::string_view source);
/// Adds an error check after the launch.
[[nodiscard]] std::optional<CodeFix> askForError(const lab::ProgramFinding& finding,
                                                 std::string_view source);
/// Adds a call before the launch that allows the kernel to use its dynamic shared memory.
[[nodiscard]] std::optional<CodeFix> allowShared(const lab::ProgramFinding& finding,
                                                 std::string_view source);

}  // namespace tilestep::features
