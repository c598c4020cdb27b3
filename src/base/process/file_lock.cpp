// SPDX-License-Identifier: Apache-2.0
#include "base/process/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "base/process/process_facts.h"

namespace tilestep {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kPause{2};

/// The lock file's permissions: users who may write the file, or replace it, may hold the lock.
mode_t lockMode(const fs::path& file) {
  struct stat about {};
  mode_t mode = ::stat(file.c_str(), &about) == 0 ? about.st_mode : 0;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  // In a folder with the sticky bit, such as /tmp, a user cannot replace another user's file.
  const bool isShared = ::stat(folder.c_str(), &about) == 0 && (about.st_mode & S_ISVTX) == 0;
  if (isShared || mode == 0) mode |= about.st_mode;
  return 0600 | ((mode & S_IWGRP) != 0 ? 0060 : 0) | ((mode & S_IWOTH) != 0 ? 0006 : 0);
}

/// Opens or creates the lock file without following links or waiting at a pipe. Another user's lock
/// file may be opened for reading only; most file systems can lock it nevertheless.
Descriptor openLock(const fs::path& path) {
  constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  constexpr int kTries = 16;  // Other processes may remove and create it between our calls.
  Descriptor opened;
  for (int i = 0; i < kTries && !opened.isOpen(); ++i) {
    opened = Descriptor(::open(path.c_str(), O_RDWR | kFlags));
    if (!opened.isOpen() && errno == EACCES)
      opened = Descriptor(::open(path.c_str(), O_RDONLY | kFlags));
    if (opened.isOpen() || errno != ENOENT) break;
    opened = Descriptor(::open(path.c_str(), O_RDWR | kFlags | O_CREAT | O_EXCL, 0600));
    if (!opened.isOpen() && errno != EEXIST) break;
  }
  return opened;
}

/// A file with contents or a second hard link is a user's file, such as a package manager's lock.
bool canBeLock(const Descriptor& file) {
  struct stat about {};
  return ::fstat(file.get(), &about) == 0 && S_ISREG(about.st_mode) && about.st_size == 0 &&
         about.st_nlink <= 1;
}

/// Whether the path still leads to the open file; the lock's previous owner may have removed it.
bool isAt(const Descriptor& file, const fs::path& path) {
  struct stat opened {
  }, there{};
  return ::fstat(file.get(), &opened) == 0 && ::lstat(path.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

Error noLockFile(const fs::path& lock) {
  return requestError(lock.string() +
                      " is not an empty file, but a lock file with this name is needed; move it, "
                      "or choose another name");
}

Error inUse(const fs::path& file, const std::string& holder) {
  return requestError(file.string() + " is being written by " +
                      (holder.empty() ? "another process" : holder) +
                      "; try again when that process has ended");
}

std::string noteOf(const fs::path& file, int reason) {
  return file.string() + " cannot be locked (" + std::strerror(reason) +
         "), so another program that writes it at the same time may damage it";
}

}  // namespace

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  if (this == &other) return *this;
  release();
  file_ = std::move(other.file_);
  path_ = std::move(other.path_);
  note_ = std::move(other.note_);
  return *this;
}

FileLock::~FileLock() {
  release();
}

void FileLock::release() {
  // Remove the file before unlocking it: afterwards, another process could hold the lock.
  if (file_.isOpen() && isAt(file_, path_)) ::unlink(path_.c_str());
  file_.close();
}

Result<FileLock> FileLock::take(const fs::path& file, std::chrono::milliseconds patience) {
  FileLock lock;
  std::error_code failure;
  const fs::file_status there = fs::status(file, failure);
  if (fs::exists(there) && !fs::is_regular_file(there)) return lock;
  const fs::path target = fs::exists(there) ? fs::canonical(file, failure) : file;
  const fs::path path = target.string() + ".lock";
  const mode_t mode = lockMode(target);
  const Clock::time_point until = Clock::now() + patience;
  while (true) {
    Descriptor opened = openLock(path);
    const int reason = errno;
    if (!opened.isOpen()) {
      if (reason == ELOOP || reason == EISDIR || reason == ENXIO) return noLockFile(path);
      if (reason != ENOENT && reason != ENOTDIR) lock.note_ = noteOf(file, reason);
      return lock;
    }
    if (!canBeLock(opened)) return noLockFile(path);
    // Overrides the umask and the permissions of an existing lock file.
    static_cast<void>(::fchmod(opened.get(), mode));
    if (::flock(opened.get(), LOCK_EX | LOCK_NB) == 0) {
      if (!isAt(opened, path)) continue;
      lock.file_ = std::move(opened);
      lock.path_ = path;
      return lock;
    }
    if (errno != EWOULDBLOCK && errno != EINTR) {
      lock.note_ = noteOf(file, errno);
      return lock;
    }
    if (Clock::now() >= until) return inUse(file, lockHolder(opened.get()));
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace tilestep
