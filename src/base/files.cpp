// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/cannot_write.h"

namespace tilestep {
namespace fs = std::filesystem;
namespace {

/// What some editors write before UTF-8.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool isHome(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "kernels", ignored) &&
         fs::is_directory(folder / "shaders", ignored);
}

/// `named` is the file that errors speak of.
Status writeTo(const fs::path& file, const fs::path& named, std::string_view content) {
  errno = 0;
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.close();  // Sets the failure where the last bytes find no room.
  return stream ? Status() : Status(cannotWrite(named, errno));
}

fs::path homeAtOrAbove(fs::path folder) {
  while (true) {
    if (isHome(folder)) return folder;
    // An installed tree keeps its data in share/tilestep beside bin/.
    if (isHome(folder / "share" / "tilestep")) return folder / "share" / "tilestep";
    if (folder == folder.parent_path()) return {};
    folder = folder.parent_path();
  }
}

}  // namespace

Result<std::string> readTextFile(const fs::path& path, size_t maxBytes) {
  std::error_code failure;
  if (!fs::is_regular_file(path, failure)) {
    return requestError(fs::exists(path, failure)
                            ? path.string() + " is a folder or a device, not a file"
                            : "there is no file " + path.string());
  }
  const auto size = fs::file_size(path, failure);
  if (failure) return requestError("cannot read " + path.string() + ": " + failure.message());
  if (size > maxBytes) {
    return requestError(path.string() + " has " + std::to_string(size) + " bytes; at most " +
                        std::to_string(maxBytes) + " are read");
  }
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<size_t>(size), '\0');
  if (!file.read(text.data(), static_cast<std::streamsize>(size))) {
    return requestError("cannot read " + path.string());
  }
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  return text;
}

Status writeFileAtomically(const fs::path& path, std::string_view content) {
  std::error_code failure;
  // A device or a pipe takes what is written; a file in its place would be another thing.
  const fs::file_status there = fs::status(path, failure);
  if (fs::exists(there) && !fs::is_regular_file(there)) return writeTo(path, path, content);
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failure);
  // A link stays a link: the file that it leads to is replaced.
  const bool linked = fs::is_symlink(fs::symlink_status(path, failure)) && fs::exists(there);
  const fs::path target = linked ? fs::canonical(path, failure) : path;
  const fs::path beside = target.string() + ".new-" + std::to_string(::gettid());
  if (Status written = writeTo(beside, path, content); !written) {
    fs::remove(beside, failure);
    return written;
  }
  if (fs::exists(there)) fs::permissions(beside, there.permissions(), failure);
  fs::rename(beside, target, failure);
  if (!failure) return {};
  const Error error = cannotWrite(path, failure.value());
  fs::remove(beside, failure);
  return error;
}

fs::path programPath() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

Result<fs::path> findHome() {
  if (const char* home = std::getenv("TILESTEP_HOME"); home && *home) {
    if (isHome(home)) return fs::path(home);
    return requestError(std::string("TILESTEP_HOME is ") + home +
                        ", which has no folders kernels and shaders");
  }
  std::error_code ignored;
  for (const fs::path& start : {programPath().parent_path(), fs::current_path(ignored)}) {
    if (fs::path home = homeAtOrAbove(start); !home.empty()) return home;
  }
  return requestError(
      "the folders kernels and shaders are neither above the program nor above the working "
      "folder: set TILESTEP_HOME to the folder that holds them");
}

fs::path cacheFolder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache && *cache) {
    return fs::path(cache) / "tilestep";
  }
  if (const char* home = std::getenv("HOME"); home && *home) {
    return fs::path(home) / ".cache" / "tilestep";
  }
  std::error_code ignored;
  return fs::temp_directory_path(ignored) / ("tilestep-" + std::to_string(::getuid()));
}

fs::path stateFolder() {
  if (const char* state = std::getenv("XDG_STATE_HOME"); state && *state) {
    return fs::path(state) / "tilestep";
  }
  if (const char* home = std::getenv("HOME"); home && *home) {
    return fs::path(home) / ".local" / "state" / "tilestep";
  }
  return {};
}

}  // namespace tilestep
