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

/// An entry of a folder, as the dialogue lists it.
struct FolderEntry {
  std::string name;  ///< "hw1.cu", "lab3/", "../".
  bool isFolder = false;
};
/// The folders and .cu files of a folder, folders first, each sorted; names that begin with a point
/// are left out.
[[nodiscard]] std::vector<FolderEntry> entriesOf(const std::filesystem::path& folder);

/// Draws the dialogue while it is open.
void drawOpenDialog(const Context& context);

}  // namespace tilestep::ui
