// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/device_lock.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>
#include <utility>

namespace tilestep::lab {
namespace {

/// A regular file alone, and no link: whoever put something else there would have this program wait
/// for ever, or make a file elsewhere. Another user's file in a sticky folder may be opened, but
/// not with O_CREAT.
int openShared(const std::string& path) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  int opened = ::open(path.c_str(), kFlags);
  if (opened < 0 && errno == ENOENT) opened = ::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0644);
  if (opened < 0 && errno == EEXIST) opened = ::open(path.c_str(), kFlags);
  struct stat about {};
  if (opened >= 0 && (::fstat(opened, &about) != 0 || !S_ISREG(about.st_mode))) {
    ::close(opened);
    opened = -1;
  }
  return opened;
}

std::string userOf(const std::string& process) {
  struct stat about {};
  if (::stat(("/proc/" + process).c_str(), &about) != 0) return {};
  const passwd* user = ::getpwuid(about.st_uid);
  return user != nullptr ? user->pw_name : std::to_string(about.st_uid);
}

/// "process 123 of anna", from the system's own list of locks; empty where it does not say.
std::string holderOf(int file) {
  struct stat about {};
  if (::fstat(file, &about) != 0) return {};
  const std::string inode = ":" + std::to_string(about.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words(line);
    std::string number, kind, mode, access, process, place;
    words >> number >> kind >> mode >> access >> process >> place;
    if (kind != "FLOCK" || !place.ends_with(inode)) continue;
    const std::string user = userOf(process);
    return "process " + process + (user.empty() ? "" : " of " + user);
  }
  return {};
}

}  // namespace

DeviceLock::DeviceLock(DeviceLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

DeviceLock& DeviceLock::operator=(DeviceLock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

DeviceLock::~DeviceLock() {
  if (file_ >= 0) ::close(file_);
}

Result<DeviceLock> DeviceLock::take(const std::string& folder, const std::string& place,
                                    const device::Cancelled& cancelled, const Waiting& waiting,
                                    std::chrono::seconds patience) {
  DeviceLock lock(openShared(folder + "/tilestep-" + place + ".lock"));
  const auto start = std::chrono::steady_clock::now();
  int told = -1;
  while (lock.file_ >= 0 && ::flock(lock.file_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return DeviceLock();
    if (cancelled && cancelled()) return workError("Cancelled.");
    const auto passed = std::chrono::steady_clock::now() - start;
    const auto seconds =
        static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(passed).count());
    if (passed >= patience) {
      const std::string holder = holderOf(lock.file_);
      return workError("Another program" + (holder.empty() ? "" : " (" + holder + ")") +
                       " has kept the GPU for " + std::to_string(seconds) +
                       " s. Try again when it has ended.");
    }
    if (seconds != told) waiting(told = seconds, holderOf(lock.file_));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return lock;
}

}  // namespace tilestep::lab
