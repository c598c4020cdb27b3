// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "features/names.h"
#include "features/program/view.h"

namespace tilestep::features {

/// Describes the program's state in one sentence.
[[nodiscard]] std::string verdictOf(const ProgramView& view);

/// The notes beside lines of the program's file.
[[nodiscard]] std::vector<model::LineNote> lineNotesOf(const ProgramView& view);

/// Whether the finding's line is in the program's file, called `name`, instead of in a header.
[[nodiscard]] bool isInFile(const lab::ProgramFinding& finding, const std::string& name);

/// Replaces characters that the window's fonts do not contain: "A^T".
[[nodiscard]] std::string shownText(std::string text);
/// "add<<<4, 256>>>", "copy d_A 4 KiB to the device".
[[nodiscard]] std::string textOf(const lab::ProgramStep& step);

}  // namespace tilestep::features
