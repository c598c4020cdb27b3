// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "base/result.h"

namespace tilestep {

/// Why a file cannot be written, by `reason`, an errno: an error of the request where the name
/// cannot be written to, of the work where there is no room.
[[nodiscard]] inline Error cannotWrite(const std::filesystem::path& path, int reason) {
  const bool nameIsWrong = reason == EACCES || reason == EPERM || reason == EROFS ||
                           reason == ENOENT || reason == ENOTDIR || reason == EISDIR ||
                           reason == ENAMETOOLONG;
  const std::string why = reason == 0 ? "" : std::string(": ") + std::strerror(reason);
  const std::string message = "cannot write " + path.string() + why;
  return nameIsWrong ? requestError(message) : workError(message);
}

}  // namespace tilestep
