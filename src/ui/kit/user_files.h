// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

/// Files that the user has named: writing them, and naming them in notices.
namespace tilestep::ui {

/// The text for a saved file's location. It is the full path only for files outside the folder in
/// which the program was started, so that screenshots reveal nothing about the machine.
[[nodiscard]] std::string savedPlace(const std::filesystem::path& path);

/// Writes a file that the user has named. The error message also suggests naming another folder.
[[nodiscard]] Status writeSaved(const std::filesystem::path& path, std::string_view bytes);

}  // namespace tilestep::ui
