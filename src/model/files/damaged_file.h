// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/error.h"
#include "base/result.h"

namespace tilestep::model {

/// Renames an unreadable file, so that it is kept but not used: "runs.toml" becomes
/// "runs.damaged-1.toml", with the first free number. Returns the new path, or the reason why
/// renaming failed.
Result<std::filesystem::path> setDamagedAside(const std::filesystem::path& path);

/// "file:12" and the line itself, if the error has a location; otherwise empty.
[[nodiscard]] std::string placeText(const Error& error);

}  // namespace tilestep::model
