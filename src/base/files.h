// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tilestep {

/// The first bytes of a regular file, at most `maxBytes`, unchanged. Fails like readTextFile(),
/// except that the file may be larger than `maxBytes`.
Result<std::string> readFileStart(const std::filesystem::path& path, size_t maxBytes);

/// Like readTextFile() for the file `folder / below`, where `below` must not contain "..". Fails if
/// a part of `below` is a symbolic link, even one created during this call; `folder` may be one.
Result<std::string> readTextFileBelow(const std::filesystem::path& folder,
                                      const std::filesystem::path& below, size_t maxBytes);

/// Like readTextFile(), but returns an empty string if the file is missing or a character device.
Result<std::string> textIfThere(const std::filesystem::path& path);

/// The contents of a regular file, without a leading UTF-8 byte-order mark. Fails if the file is
/// missing, unreadable or larger than maxBytes.
Result<std::string> readTextFile(const std::filesystem::path& path,
                                 size_t maxBytes = size_t{16} << 20);

/// Writes a new file beside the target and renames it once it is on the disk, so that readers never
/// see a partial file, even after a power loss. The new file's name is random, and links under that
/// name are not followed. A device or a pipe is written to directly. Fails with a request error if
/// the path cannot be written to, and with a work error if the disk is full.
Status writeFileAtomically(const std::filesystem::path& path, std::string_view content);

/// Like writeFileAtomically(), for folders in which other users may have created a link, a pipe or
/// a file with this name: it is always replaced, never followed or written to.
Status replaceFile(const std::filesystem::path& path, std::string_view content);

/// The files and folders directly in `folder` with the extension `ending` (".md"), sorted; empty if
/// the folder does not exist.
std::vector<std::filesystem::path> filesIn(const std::filesystem::path& folder,
                                           std::string_view ending);

/// The folder that contains kernels/, shaders/ and assets/: $TILESTEP_HOME if set; otherwise the
/// nearest such folder among the program's folder, the folders above it, and share/tilestep in each
/// of these. The working folder is ignored.
Result<std::filesystem::path> findHome();

/// Creates the folder, accessible to this user only, unless it exists. False if the contents cannot
/// be trusted: the folder cannot be created, belongs to another user, or is writable by others.
[[nodiscard]] bool makeOwnFolder(const std::filesystem::path& folder);

/// The folder for caches: $XDG_CACHE_HOME/tilestep or ~/.cache/tilestep. Empty if neither
/// XDG_CACHE_HOME nor HOME is set; nothing is then cached. This function and the next two ignore
/// variables that are not absolute paths.
std::filesystem::path cacheFolder();

/// The folder for state kept between runs: $XDG_STATE_HOME/tilestep or ~/.local/state/tilestep.
/// Empty if neither variable is set.
std::filesystem::path stateFolder();

/// The folder for the user's own files: $XDG_DATA_HOME/tilestep or ~/.local/share/tilestep. Empty
/// if neither variable is set.
std::filesystem::path dataFolder();

/// The path of the running program.
std::filesystem::path programPath();

}  // namespace tilestep
