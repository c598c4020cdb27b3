// SPDX-License-Identifier: Apache-2.0
#include "lab/devices/gpu_turn.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <thread>

#include "base/process/process_facts.h"

namespace tilestep::lab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPause{
    4};  ///< Shorter than kHandOver, so that a waiting process notices a free GPU.

/// Opens the lock file, or creates it writable for all users. On failure, errno gives the reason.
Descriptor openLock(const std::string& path) {
  constexpr int kFlags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  // O_CREAT fails for other users' files if fs.protected_regular is set.
  Descriptor file(::open(path.c_str(), kFlags));
  if (file.isOpen() || errno != ENOENT) return file;
  file = Descriptor(::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0666));
  if (!file.isOpen())
    return errno == EEXIST ? Descriptor(::open(path.c_str(), kFlags)) : Descriptor();
  static_cast<void>(::fchmod(file.get(), 0666));  // open() applied the umask.
  return file;
}

/// "process 123 of alice has used it for 40 s". The file's time is when the holder locked it.
std::string holderOf(const Descriptor& lock) {
  const std::string holder = lockHolder(lock.get());
  struct stat about {};
  if (holder.empty() || ::fstat(lock.get(), &about) != 0) return "another process uses it";
  const auto seconds = std::max<time_t>(0, std::time(nullptr) - about.st_mtim.tv_sec);
  return holder + " has used it for " + std::to_string(seconds) + " s";
}

std::string unlockedText(const std::string& path, int reason) {
  return path + " cannot be locked (" + std::strerror(reason) +
         "), so other programs may use the GPU at the same time and times may be wrong";
}

}  // namespace

Result<GpuTurn> GpuTurn::take(const std::string& folder, const std::string& gpu,
                              const device::Cancelled& cancelled, const Waiting& waiting,
                              std::chrono::seconds patience) {
  std::string path = "tilestep-" + gpu + ".lock";
  std::ranges::replace(path, '/', '_');
  path = folder + "/" + path;
  const auto start = Clock::now();
  for (int told = -1;; std::this_thread::sleep_for(kPause)) {
    // Opened again on each attempt, in case the file is removed meanwhile.
    Descriptor lock = openLock(path);
    if (!lock.isOpen()) return GpuTurn(unlockedText(path, errno));
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) {
      static_cast<void>(::futimens(lock.get(), nullptr));
      return GpuTurn(std::move(lock));
    }
    if (errno != EWOULDBLOCK && errno != EINTR) return GpuTurn(unlockedText(path, errno));
    if (cancelled && cancelled()) return workError("Cancelled.");
    const auto waited = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start);
    const int seconds = static_cast<int>(waited.count());
    if (waited >= patience) {
      return workError("The GPU was not free for " + std::to_string(seconds) + " s (" +
                       holderOf(lock) + "). Try again later.");
    }
    if (seconds != told) waiting(told = seconds, holderOf(lock));
  }
}

std::string waitingText(const std::string& gpuName, int seconds, const std::string& holder) {
  return std::string(kWaitsFor) + "the " + gpuName + ", " + std::to_string(seconds) +
         " s: " + holder;
}

}  // namespace tilestep::lab
