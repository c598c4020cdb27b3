// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "base/result.h"

namespace tilestep {

/// Says why a file cannot be written; `reason` is an errno. It is an error of the request if
/// nothing can be written under that name, and an error of the work if there is no room.
[[nodiscard]] inline Error cannotWrite(const std::filesystem::path& path, int reason) {
  const bool nameIsWrong = reason == EACCES || reason == EPERM || reason == EROFS ||
                           reason == ENOENT || reason == ENOTDIR || reason == EISDIR ||
                           reason == ENAMETOOLONG;
  const std::string why = reason == 0 ? "" : std::string(": ") + std::strerror(reason);
  const std::string message = "cannot write " + path.string() + why;
  return nameIsWrong ? requestError(message) : workError(message);
}

}  // namespace tilestep
