// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "features/names.h"
#include "features/program/fixes.h"

/// Changes for findings in the host code. Each is absent if its place in the text is not clear.
/// Pure.
namespace tilestep::features {

/// Bytes instead of a number of elements: "n" becomes "n * sizeof(*d_x)".
[[nodiscard]] std::optional<CodeFix> countBytes(const lab::ProgramFinding& finding,
                                                std::string_view source);
/// "n / threads" becomes "(n + threads - 1) / threads", in the launch's grid or in its definition.
[[nodiscard]] std::optional<CodeFix> roundUp(const lab::ProgramFinding& finding,
                                             std::string_view source);
/// An error check after the launch.
[[nodiscard]] std::optional<CodeFix> askForError(const lab::ProgramFinding& finding,
                                                 std::string_view source);
/// A call before the launch that allows its kernel the dynamic shared memory that it requests.
[[nodiscard]] std::optional<CodeFix> allowShared(const lab::ProgramFinding& finding,
                                                 std::string_view source);

}  // namespace tilestep::features
