// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/device_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

namespace tilestep::lab {
namespace {

/// Another user's file in a sticky folder may be opened, but not with O_CREAT.
int openShared(const std::string& path) {
  const int there = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  return there >= 0 ? there : ::open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0644);
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
                                    const device::Cancelled& cancelled,
                                    const std::function<void(int)>& waiting) {
  DeviceLock lock(openShared(folder + "/tilestep-" + place + ".lock"));
  const auto start = std::chrono::steady_clock::now();
  int told = -1;
  while (lock.file_ >= 0 && ::flock(lock.file_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return DeviceLock();
    if (cancelled && cancelled()) return workError("Cancelled.");
    const auto passed = std::chrono::steady_clock::now() - start;
    const auto seconds =
        static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(passed).count());
    if (seconds != told) waiting(told = seconds);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return lock;
}

}  // namespace tilestep::lab
