// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "features/names.h"

namespace tilestep::features {

/// Writes a new file and creates its folders. Keeps an existing file, because it belongs to the
/// user, and returns no error. Errors: the file cannot be written.
[[nodiscard]] Status writeUnlessThere(const std::filesystem::path& path, std::string_view text);

}  // namespace tilestep::features
