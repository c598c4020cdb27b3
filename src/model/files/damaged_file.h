// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "base/error.h"
#include "base/result.h"

namespace tilestep::model {

/// Renames a file that cannot be read, so that it is kept and no longer in the way: "runs.toml" to
/// "runs.damaged-1.toml", the first number that is free. The new path, or why it cannot be.
Result<std::filesystem::path> setDamagedAside(const std::filesystem::path& path);

/// "file:12" and the line itself, of an error that knows its place; else empty.
[[nodiscard]] std::string placeText(const Error& error);

}  // namespace tilestep::model
