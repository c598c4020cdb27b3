// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tilestep {

/// The first bytes of a regular file, at most `maxBytes`, unchanged. Errors: as readTextFile, but
/// the file may be larger.
Result<std::string> readFileStart(const std::filesystem::path& path, size_t maxBytes);

/// readTextFile of the file `below` a folder, in a path without "..". No part of that path may be a
/// link, even if it has just become one; the folder itself may. Errors: also a link in the path.
Result<std::string> readTextFileBelow(const std::filesystem::path& folder,
                                      const std::filesystem::path& below, size_t maxBytes);

/// The same as readTextFile, but empty if there is no file, or a device.
Result<std::string> textIfThere(const std::filesystem::path& path);

/// The contents of a regular file as text, without a leading UTF-8 byte-order mark. An Error if the
/// file is missing, unreadable or larger than maxBytes.
Result<std::string> readTextFile(const std::filesystem::path& path,
                                 size_t maxBytes = size_t{16} << 20);

/// Writes a new file beside the target and renames it once it is on the disk, so that readers never
/// see half a file, even after a power loss. The new file's name cannot be guessed, and no link is
/// followed to it. A device or a pipe is written to directly. Errors:
/// one of the request if the path cannot be written to, one of the work if there is no room.
Status writeFileAtomically(const std::filesystem::path& path, std::string_view content);

/// The same for a file in a folder of ours, in which others may have made something of that name: a
/// link, a pipe or a file is replaced, and nothing is written through it.
Status replaceFile(const std::filesystem::path& path, std::string_view content);

/// The files and folders in `folder` itself whose names end in `ending` (".md"), sorted; none if
/// there is no such folder.
std::vector<std::filesystem::path> filesIn(const std::filesystem::path& folder,
                                           std::string_view ending);

/// The folder that holds kernels/, shaders/ and assets/: $TILESTEP_HOME, otherwise the nearest such
/// folder at or above the running program, or share/tilestep in one of the folders above it. The
/// working folder is ignored.
Result<std::filesystem::path> findHome();

/// Creates the folder for this user alone, if there is none. False if it cannot be created, belongs
/// to another user, or is writable for others, so that its contents must not be
/// trusted.
[[nodiscard]] bool makeOwnFolder(const std::filesystem::path& folder);

/// The folder of caches: $XDG_CACHE_HOME/tilestep or ~/.cache/tilestep. Empty if neither is
/// set: nothing is then kept. Here and below, a variable that holds no absolute path is ignored.
std::filesystem::path cacheFolder();

/// The folder of state that lasts between runs: $XDG_STATE_HOME/tilestep or
/// ~/.local/state/tilestep. Empty if neither variable is set.
std::filesystem::path stateFolder();

/// The folder of the user's own files: $XDG_DATA_HOME/tilestep or ~/.local/share/tilestep. Empty if
/// neither variable is set.
std::filesystem::path dataFolder();

/// The path of the running program.
std::filesystem::path programPath();

}  // namespace tilestep
