// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ui/kit/context.h"

/// Which file the dialogue that opens programs means. No drawing.
namespace tilestep::ui {

/// The folders ("lab3/", "../") and .cu files of a folder, folders first, each sorted; names that
/// begin with a point are left out.
[[nodiscard]] std::vector<std::string> entriesOf(const std::filesystem::path& folder);

/// The file or folder that Enter opens. A typed path is taken from the dialogue's folder; ".cu" may
/// be missing, and so may the end of a name. While nothing is typed, it is the marked row of
/// `recent` and then of the folder's entries; empty where there are none. A typed path may name
/// nothing that exists.
[[nodiscard]] std::filesystem::path chosenFile(const OpenDialog& dialog,
                                               const std::vector<std::string>& recent);

}  // namespace tilestep::ui
