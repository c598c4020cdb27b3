// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ui/kit/context.h"

/// Resolves the selection in the open dialogue to a file. No drawing.
namespace tilestep::ui {

/// The folders ("lab3/", "../") and .cu files of a folder, folders first, each sorted; dotfiles are
/// omitted.
[[nodiscard]] std::vector<std::string> entriesOf(const std::filesystem::path& folder);

/// The file or folder that Enter opens. A typed path is relative to the dialogue's folder; it may
/// omit ".cu" or the end of the name, and the result may not exist. If nothing is typed, it is the
/// selected row of `recent` followed by the folder's entries; empty if there are none.
[[nodiscard]] std::filesystem::path chosenFile(const OpenDialog& dialog,
                                               const std::vector<std::string>& recent);

}  // namespace tilestep::ui
