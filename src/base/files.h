// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tilestep {

/// The whole of a regular file as text, without a UTF-8 byte-order mark at its beginning; an Error
/// when it is missing, unreadable or over maxBytes.
Result<std::string> readTextFile(const std::filesystem::path& path,
                                 size_t maxBytes = size_t{16} << 20);

/// Writes beside the target and renames, so that a reader never sees half a file; a device or a
/// pipe is written to as it is. Errors: of the request where the path cannot be written to, of the
/// work where there is no room.
Status writeFileAtomically(const std::filesystem::path& path, std::string_view content);

/// The folder that holds kernels/, shaders/ and assets/: $TILESTEP_HOME, else the nearest such
/// folder at or above the running program, else at or above the working folder.
Result<std::filesystem::path> findHome();

/// Where caches go: $XDG_CACHE_HOME/tilestep, else ~/.cache/tilestep, else a temporary folder.
std::filesystem::path cacheFolder();

/// Where what lasts between runs goes: $XDG_STATE_HOME/tilestep, else ~/.local/state/tilestep.
/// Empty where there is neither.
std::filesystem::path stateFolder();

/// The path of the running program.
std::filesystem::path programPath();

}  // namespace tilestep
