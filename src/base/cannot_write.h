// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "base/result.h"

namespace tilestep {

/// The error for a file that cannot be written; `reason` is an errno. Errors caused by the path or
/// its permissions are request errors; all others, such as a full disk, are work errors.
[[nodiscard]] inline Error cannotWrite(const std::filesystem::path& path, int reason) {
  const bool nameIsWrong = reason == EACCES || reason == EPERM || reason == EROFS ||
                           reason == ENOENT || reason == ENOTDIR || reason == EISDIR ||
                           reason == ENAMETOOLONG;
  const std::string why = reason == 0 ? "" : std::string(": ") + std::strerror(reason);
  const std::string message = "cannot write " + path.string() + why;
  return nameIsWrong ? requestError(message) : workError(message);
}

}  // namespace tilestep
