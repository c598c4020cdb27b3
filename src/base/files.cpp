// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <random>
#include <system_error>

#include "base/cannot_write.h"
#include "base/descriptor.h"
#include "base/hash.h"

namespace tilestep {
namespace fs = std::filesystem;
namespace {

/// The byte-order mark that some editors write before UTF-8.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool isHome(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_directory(folder / "kernels", ignored) &&
         fs::is_directory(folder / "shaders", ignored);
}

/// Creates a file beside `target` under a random name, which nobody can occupy in advance, and sets
/// `path` to that name. Its permissions follow the umask, or are for the user alone if `isPrivate`.
Descriptor openBeside(const fs::path& target, bool isPrivate, fs::path& path) {
  constexpr int kTries = 16;
  std::random_device random;
  for (int i = 0; i < kTries; ++i) {
    const uint64_t number = uint64_t{random()} << 32 | random();
    path = target.string() + ".new-" + hex64(number);
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           isPrivate ? 0600 : 0666));
    if (file.isOpen() || errno != EEXIST) return file;
  }
  return {};
}

/// Writes `content` to the disk in a new file beside `target`, with these permissions if given.
/// Returns the new file's path, or an Error that mentions `named`.
Result<fs::path> writeBeside(const fs::path& target, const fs::path& named,
                             std::string_view content, std::optional<mode_t> permissions) {
  fs::path path;
  const Descriptor file = openBeside(target, permissions.has_value(), path);
  if (!file.isOpen()) return cannotWrite(named, errno);
  const bool isWhole = writeAll(file.get(), content) &&
                       (!permissions || ::fchmod(file.get(), *permissions) == 0) &&
                       ::fsync(file.get()) == 0;
  if (isWhole) return path;
  const Error error = cannotWrite(named, errno);
  ::unlink(path.c_str());
  return error;
}

/// Writes the folder's entries to the disk if the file system can, so that a renamed file keeps its
/// new name after a power loss.
void keepEntries(const fs::path& folder) {
  const Descriptor opened(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.isOpen()) static_cast<void>(::fsync(opened.get()));
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

/// Tilestep's folder in the folder that `variable` names, or else in $HOME/`belowHome`; empty if
/// neither variable is an absolute path.
fs::path folderFor(const char* variable, const char* belowHome) {
  const auto absolute = [](const char* name) {
    const char* value = std::getenv(name);
    fs::path path = value != nullptr ? value : "";
    return path.is_absolute() ? path : fs::path();
  };
  if (const fs::path named = absolute(variable); !named.empty()) return named / "tilestep";
  const fs::path home = absolute("HOME");
  return home.empty() ? fs::path() : home / belowHome / "tilestep";
}

/// Checks that the open file is a regular file, and sets `bytes` to its size. Uses the descriptor,
/// because the path may soon lead to another file. Call this right after open(): it reads errno.
Result<Descriptor> regular(Descriptor file, const fs::path& path, uint64_t& bytes) {
  struct stat there {};
  if (!file.isOpen() || ::fstat(file.get(), &there) != 0) {
    std::error_code ignored;
    const int why = errno;
    if (why == ELOOP) return requestError(path.string() + " is a link");
    return requestError(fs::exists(path, ignored)
                            ? "cannot read " + path.string() + ": " + std::strerror(why)
                            : "there is no file " + path.string());
  }
  if (!S_ISREG(there.st_mode))
    return requestError(path.string() + " is a folder or a device, not a file");
  bytes = static_cast<uint64_t>(there.st_size);
  return file;
}

/// Non-blocking, because opening a pipe would otherwise wait for a writer.
constexpr int kReading = O_RDONLY | O_NONBLOCK | O_CLOEXEC;

Result<Descriptor> openToRead(const fs::path& path, uint64_t& bytes) {
  return regular(Descriptor(::open(path.c_str(), kReading)), path, bytes);
}

/// Opens `folder / below` without following links below the folder.
Descriptor openBelow(const fs::path& folder, const fs::path& below) {
  const fs::path start = folder.empty() ? fs::path(".") : folder;
  Descriptor at(::open(start.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (const fs::path& part : below.parent_path()) {
    if (!at.isOpen()) return at;
    at =
        Descriptor(::openat(at.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    // With O_PATH | O_NOFOLLOW, a link is not a folder: report it as a link.
    if (!at.isOpen() && errno == ENOTDIR) errno = ELOOP;
  }
  if (!at.isOpen()) return at;
  return Descriptor(::openat(at.get(), below.filename().c_str(), kReading | O_NOFOLLOW));
}

Result<std::string> readBytes(const Descriptor& file, const fs::path& path, uint64_t bytes) {
  std::string text(static_cast<size_t>(bytes), '\0');
  for (size_t done = 0; done < text.size();) {
    const ssize_t count = ::read(file.get(), text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return requestError("cannot read " + path.string());
    done += static_cast<size_t>(count);
  }
  return text;
}

Result<std::string> textOf(const Result<Descriptor>& file, const fs::path& path, uint64_t bytes,
                           size_t maxBytes) {
  if (!file) return file.error();
  if (bytes > maxBytes) {
    return requestError(path.string() + " has " + std::to_string(bytes) + " bytes; at most " +
                        std::to_string(maxBytes) + " are read");
  }
  Result<std::string> text = readBytes(*file, path, bytes);
  if (text && text->starts_with(kByteOrderMark)) text->erase(0, kByteOrderMark.size());
  return text;
}

}  // namespace

Result<std::string> readFileStart(const fs::path& path, size_t maxBytes) {
  uint64_t bytes = 0;
  const Result<Descriptor> file = openToRead(path, bytes);
  if (!file) return file.error();
  return readBytes(*file, path, std::min<uint64_t>(bytes, maxBytes));
}

Result<std::string> readTextFile(const fs::path& path, size_t maxBytes) {
  uint64_t bytes = 0;
  const Result<Descriptor> file = openToRead(path, bytes);
  return textOf(file, path, bytes, maxBytes);
}

Result<std::string> readTextFileBelow(const fs::path& folder, const fs::path& below,
                                      size_t maxBytes) {
  const fs::path path = folder / below;
  uint64_t bytes = 0;
  const Result<Descriptor> file = regular(openBelow(folder, below), path, bytes);
  return textOf(file, path, bytes, maxBytes);
}

Result<std::string> textIfThere(const fs::path& path) {
  std::error_code failure;
  const fs::file_status there = fs::status(path, failure);
  const bool isNone = !fs::exists(there) && there.type() != fs::file_type::none;
  if (isNone || fs::is_character_file(there)) return std::string();
  return readTextFile(path);
}

Status replaceFile(const fs::path& path, std::string_view content) {
  const Result<fs::path> beside = writeBeside(path, path, content, std::nullopt);
  if (!beside) return beside.error();
  std::error_code failure;
  fs::rename(*beside, path, failure);
  if (!failure) {
    keepEntries(path.parent_path());
    return {};
  }
  const Error error = cannotWrite(path, failure.value());
  fs::remove(*beside, failure);
  return error;
}

Status writeFileAtomically(const fs::path& path, std::string_view content) {
  std::error_code failure;
  // A device or a pipe is written to, not replaced.
  const fs::file_status there = fs::status(path, failure);
  if (fs::exists(there) && !fs::is_regular_file(there)) {
    const Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (device.isOpen() && writeAll(device.get(), content)) return {};
    return cannotWrite(path, errno);
  }
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failure);
  // If the path is a link, its target is replaced and the link stays.
  const bool linked = fs::is_symlink(fs::symlink_status(path, failure)) && fs::exists(there);
  const fs::path target = linked ? fs::canonical(path, failure) : path;
  std::optional<mode_t> permissions;
  if (fs::exists(there)) permissions = static_cast<mode_t>(there.permissions()) & 07777;
  const Result<fs::path> beside = writeBeside(target, path, content, permissions);
  if (!beside) return beside.error();
  fs::rename(*beside, target, failure);
  if (failure) {
    const Error error = cannotWrite(path, failure.value());
    fs::remove(*beside, failure);
    return error;
  }
  keepEntries(target.parent_path());
  return {};
}

bool makeOwnFolder(const fs::path& folder) {
  std::error_code failure;
  if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), failure);
  ::mkdir(folder.c_str(), 0700);  // It may exist.
  struct stat about {};
  constexpr mode_t kByOthers = S_IWGRP | S_IWOTH;
  return ::stat(folder.c_str(), &about) == 0 && S_ISDIR(about.st_mode) &&
         about.st_uid == ::geteuid() && (about.st_mode & kByOthers) == 0;
}

fs::path programPath() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

std::vector<fs::path> filesIn(const fs::path& folder, std::string_view ending) {
  std::vector<fs::path> files;
  std::error_code missing;
  for (const auto& file : fs::directory_iterator(folder, missing))
    if (file.path().extension() == ending) files.push_back(file.path());
  std::ranges::sort(files);
  return files;
}

Result<fs::path> findHome() {
  if (const char* home = std::getenv("TILESTEP_HOME"); home && *home) {
    if (isHome(home)) return fs::path(home);
    return requestError(std::string("TILESTEP_HOME is ") + home +
                        ", which has no folders kernels and shaders");
  }
  if (fs::path home = homeAtOrAbove(programPath().parent_path()); !home.empty()) return home;
  return requestError(
      "the folders kernels and shaders were not found in any folder above the program or in its "
      "share/tilestep; set TILESTEP_HOME to the folder that contains them");
}

fs::path cacheFolder() {
  return folderFor("XDG_CACHE_HOME", ".cache");
}

fs::path stateFolder() {
  return folderFor("XDG_STATE_HOME", ".local/state");
}

fs::path dataFolder() {
  return folderFor("XDG_DATA_HOME", ".local/share");
}

}  // namespace tilestep
