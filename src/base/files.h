// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tilestep {

/// The first bytes of a regular file, at most `maxBytes`, as they are. Errors: as readTextFile, but
/// a larger file is none.
Result<std::string> readFileStart(const std::filesystem::path& path, size_t maxBytes);

/// readTextFile of the file `below` a folder, in a path without "..". No part of that path may be a
/// link, even if it has just become one; the folder itself may. Errors: also that one is a link.
Result<std::string> readTextFileBelow(const std::filesystem::path& folder,
                                      const std::filesystem::path& below, size_t maxBytes);

/// The same as readTextFile, but empty where there is no file, or a device.
Result<std::string> textIfThere(const std::filesystem::path& path);

/// The contents of a regular file as text, without a leading UTF-8 byte-order mark. An Error if the
/// file is missing, unreadable or larger than maxBytes.
Result<std::string> readTextFile(const std::filesystem::path& path,
                                 size_t maxBytes = size_t{16} << 20);

/// Writes a new file beside the target and renames it once it is on the disk, so that a reader
/// never sees half a file, and neither does anybody after a power loss. The new file's name cannot
/// be guessed, and no link is followed to it. A device or a pipe is written to directly. Errors:
/// one of the request if the path cannot be written to, one of the work if there is no room.
Status writeFileAtomically(const std::filesystem::path& path, std::string_view content);

/// The same for a file in a folder of ours, where others may have put something of that name: a
/// link, a pipe or a file there is replaced, and nothing is written through it.
Status replaceFile(const std::filesystem::path& path, std::string_view content);

/// The files and folders in `folder` itself whose names end in `ending` (".md"), sorted; none where
/// there is no such folder.
std::vector<std::filesystem::path> filesIn(const std::filesystem::path& folder,
                                           std::string_view ending);

/// The folder that holds kernels/, shaders/ and assets/: $TILESTEP_HOME, else the nearest such
/// folder at or above the running program, or share/tilestep in one of the folders above it. The
/// working folder has no part in it.
Result<std::filesystem::path> findHome();

/// Makes the folder, for this user alone, if it is not there. False where it cannot be made, where
/// it belongs to somebody else, or where others may write to it: what it holds is then not to be
/// trusted.
[[nodiscard]] bool makeOwnFolder(const std::filesystem::path& folder);

/// Where caches go: $XDG_CACHE_HOME/tilestep, else ~/.cache/tilestep. Empty if neither variable is
/// set: nothing is then kept. Here and below, a variable that holds no absolute path is ignored.
std::filesystem::path cacheFolder();

/// Where state that lasts between runs goes: $XDG_STATE_HOME/tilestep, else
/// ~/.local/state/tilestep. Empty if neither variable is set.
std::filesystem::path stateFolder();

/// Where the user's own files go: $XDG_DATA_HOME/tilestep, else ~/.local/share/tilestep. Empty if
/// neither variable is set.
std::filesystem::path dataFolder();

/// The path of the running program.
std::filesystem::path programPath();

}  // namespace tilestep
