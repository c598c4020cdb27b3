// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

/// Files that the user has named: how they are written, and how notices name them.
namespace tilestep::ui {

/// The text for a saved file's location. It is the full path only for files outside the folder that
/// the program was started in, so that screenshots reveal nothing about the machine.
[[nodiscard]] std::string savedPlace(const std::filesystem::path& path);

/// Writes a file that the user has named. An error also says what to name instead.
[[nodiscard]] Status writeSaved(const std::filesystem::path& path, std::string_view bytes);

}  // namespace tilestep::ui
