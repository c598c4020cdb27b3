// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "features/names.h"

namespace tilestep::features {

/// Writes a new file, and the folders above it. A file that is there stays as it is, which is no
/// error: it is the person's. Errors: the file cannot be written.
[[nodiscard]] Status writeUnlessThere(const std::filesystem::path& path, std::string_view text);

}  // namespace tilestep::features
