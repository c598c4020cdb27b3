// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ui/kit/context.h"

namespace tilestep::ui {

/// Opens the dialogue that chooses a program's file; closes it when it is open.
void toggleOpenDialog(UiState& ui);
/// Moves the mark, or takes what is marked or typed.
void stepOpenDialog(UiState& ui, int by);
void takeOpenDialog(UiState& ui);

/// The folders ("lab3/", "../") and .cu files of a folder, folders first, each sorted; names that
/// begin with a point are left out.
[[nodiscard]] std::vector<std::string> entriesOf(const std::filesystem::path& folder);

/// Draws the dialogue while it is open.
void drawOpenDialog(const Context& context);

}  // namespace tilestep::ui
