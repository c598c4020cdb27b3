// SPDX-License-Identifier: Apache-2.0
#include "base/private_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>
#include <vector>

namespace tilestep {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPrefix = "tilestep-private-";
constexpr std::string_view kPattern = "tilestep-private-XXXXXX";
/// The name and contents of the file that marks a folder as ours.
constexpr const char* kMark = ".tilestep-private";
constexpr std::string_view kMarkText =
    "Tilestep made this folder for a compiler and removes it when it is no longer in use.\n";
/// The file names of compilers' inputs and outputs begin with one of these.
constexpr std::array<std::string_view, 3> kOwnNames{"kernel.", "kernel-", "probe."};
constexpr time_t kUnusedSeconds = 600;

/// The folder, opened and locked; not open if another process has locked it.
Descriptor locked(const fs::path& folder) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (opened.isOpen() && ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) opened.close();
  return opened;
}

/// If this fails, sweepPrivateFolders() will not remove the folder; everything else works.
void mark(const Descriptor& folder) {
  const Descriptor file(
      ::openat(folder.get(), kMark, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.isOpen()) static_cast<void>(writeAll(file.get(), kMarkText));
}

bool isMarked(const Descriptor& folder) {
  const Descriptor file(
      ::openat(folder.get(), kMark, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat about {};
  if (!file.isOpen() || ::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return false;
  std::string text(kMarkText.size() + 1, '\0');
  const ssize_t length = ::read(file.get(), text.data(), text.size());
  return length >= 0 && text.substr(0, static_cast<size_t>(length)) == kMarkText;
}

bool isLeftBehind(const Descriptor& folder) {
  struct stat about {};
  constexpr mode_t kPermissions = 07777;
  return ::fstat(folder.get(), &about) == 0 && about.st_uid == ::geteuid() &&
         (about.st_mode & kPermissions) == S_IRWXU &&
         about.st_mtime + kUnusedSeconds < std::time(nullptr) && isMarked(folder);
}

bool isOwnFile(const Descriptor& folder, const std::string& name) {
  const auto begins = [&](std::string_view own) { return name.starts_with(own); };
  struct stat about {};
  return (name == kMark || std::ranges::any_of(kOwnNames, begins)) &&
         ::fstatat(folder.get(), name.c_str(), &about, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(about.st_mode);
}

/// The names of all files in the folder; nothing if one of them is not ours.
std::optional<std::vector<std::string>> ownFilesIn(const Descriptor& folder) {
  struct Close {
    void operator()(DIR* list) const { ::closedir(list); }
  };
  const int again = ::openat(folder.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, Close> list(again >= 0 ? ::fdopendir(again) : nullptr);
  if (!list) {
    if (again >= 0) ::close(again);
    return std::nullopt;
  }
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(list.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (!isOwnFile(folder, name)) return std::nullopt;
    names.push_back(name);
    errno = 0;
  }
  return errno == 0 ? std::optional(std::move(names)) : std::nullopt;
}

/// Removes the folder's files, the marker file last, and then the folder. Keeps a folder that
/// contains any other file.
void sweep(const fs::path& path, const Descriptor& folder) {
  auto names = ownFilesIn(folder);
  if (!names) return;
  std::ranges::stable_partition(*names, [](const std::string& name) { return name != kMark; });
  for (const std::string& name : *names) ::unlinkat(folder.get(), name.c_str(), 0);
  ::rmdir(path.c_str());  // Fails for a link or a folder that is not empty.
}

}  // namespace

PrivateFolder::PrivateFolder() {
  std::error_code failure;
  const fs::path temporary = fs::temp_directory_path(failure);
  if (failure) {
    const char* variable = std::getenv("TMPDIR");
    trouble_ = std::string("The temporary folder ") + (variable != nullptr ? variable : "/tmp") +
               " does not exist: set TMPDIR to a writable folder.";
    return;
  }
  std::string pattern = (temporary / kPattern).string();
  if (::mkdtemp(pattern.data()) == nullptr) {  // mkdtemp creates it with mode 0700.
    trouble_ = "Cannot create a folder in " + temporary.string() + " (" + std::strerror(errno) +
               "): set TMPDIR to a writable folder.";
    return;
  }
  path_ = pattern;
  lock_ = locked(path_);
  if (lock_.isOpen()) mark(lock_);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

void sweepPrivateFolders() {
  std::error_code failure;
  const fs::path temporary = fs::temp_directory_path(failure);
  if (failure) return;
  for (fs::directory_iterator at(temporary, failure), end; !failure && at != end;
       at.increment(failure)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with(kPrefix) || name.size() != kPattern.size()) continue;
    if (const Descriptor folder = locked(at->path()); folder.isOpen() && isLeftBehind(folder))
      sweep(at->path(), folder);
  }
}

}  // namespace tilestep
