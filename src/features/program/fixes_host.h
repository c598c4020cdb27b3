// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "features/names.h"
#include "features/program/fixes.h"

/// Changes for findings in the host's part. Each is nothing where the text does not show where it
/// belongs. Pure.
namespace tilestep::features {

/// Bytes where elements were counted: "n" becomes "n * sizeof(*d_x)".
[[nodiscard]] std::optional<CodeFix> countBytes(const lab::ProgramFinding& finding,
                                                std::string_view source);
/// "n / threads" becomes "(n + threads - 1) / threads", in the launch's grid or what it is made of.
[[nodiscard]] std::optional<CodeFix> roundUp(const lab::ProgramFinding& finding,
                                             std::string_view source);
/// A question for the launch's error behind it.
[[nodiscard]] std::optional<CodeFix> askForError(const lab::ProgramFinding& finding,
                                                 std::string_view source);
/// A call before the launch that allows its kernel the dynamic shared memory that it asks for.
[[nodiscard]] std::optional<CodeFix> allowShared(const lab::ProgramFinding& finding,
                                                 std::string_view source);

}  // namespace tilestep::features
