// SPDX-License-Identifier: Apache-2.0
#include "features/exercises/copy_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

namespace tilestep::features {
namespace {

Error cannotWrite(const std::filesystem::path& path, const char* why) {
  return requestError(path.string() + " cannot be written: " + why);
}

}  // namespace

Status writeUnlessThere(const std::filesystem::path& path, std::string_view text) {
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  if (failed) return cannotWrite(path, failed.message().c_str());
  std::FILE* file = std::fopen(path.c_str(), "wx");  // Fails if the file exists.
  if (file == nullptr)
    return errno == EEXIST ? Status() : Status(cannotWrite(path, std::strerror(errno)));
  const bool whole = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) == 0 && whole) return {};
  const int why = errno;
  std::filesystem::remove(path, failed);
  return cannotWrite(path, std::strerror(why));
}

}  // namespace tilestep::features
