// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/frame_times.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iterator>

#include "base/cannot_write.h"

namespace tilestep::ui {
namespace {

constexpr size_t kKeptFrames = 300;

/// Seconds since the process started, from the operating system's clock; 0 if unknown.
double processAge() {
  std::ifstream file("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const size_t end = text.rfind(')');  // The process name may contain anything.
  if (end == std::string::npos) return 0;
  unsigned long long ticks = 0;
  const char* at = text.c_str() + end + 1;
  for (int field = 0; field < 20 && *at != '\0'; ++at)
    if (*at == ' ' && ++field == 20) std::sscanf(at + 1, "%llu", &ticks);
  timespec now{};
  if (ticks == 0 || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return 0;
  const double uptime = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  return uptime - static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

double threadSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Status FrameLog::open(const std::string& path) {
  if (path.empty()) return {};
  path_ = path;
  errno = 0;
  file_.open(path);
  file_ << "wall_ms,cpu_ms,draw_ms,draw_cpu_ms" << std::endl;
  if (file_) return {};
  Error error = cannotWrite(path, errno);
  error.message = "the frame log " + path + " cannot be written" +
                  (errno != 0 ? ": " + std::string(std::strerror(errno)) : "") +
                  "; name a file in a writable folder with enough free space";
  return error;
}

void FrameLog::add(const FrameCost& cost) {
  if (file_.is_open())
    file_ << cost.wall << ',' << cost.own << ',' << cost.drawWall << ',' << cost.drawOwn
          << std::endl;
}

Status FrameLog::written() const {
  return file_ ? Status()
               : Status(workError("the frame log " + path_ + " could not be written completely"));
}

void FrameClock::add(double milliseconds) {
  if (times_.size() == kKeptFrames) times_.erase(times_.begin());
  times_.push_back(milliseconds);
  if (count_++ == 0) firstMs_ = processAge() * 1e3;
}

FrameTimes FrameClock::times() const {
  FrameTimes result{count_, firstMs_, 0, times_.empty() ? 0 : times_.back()};
  if (times_.empty()) return result;
  std::vector<double> sorted = times_;
  const size_t at = (sorted.size() - 1) * 99 / 100;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(at), sorted.end());
  result.p99Ms = sorted[at];
  return result;
}

}  // namespace tilestep::ui
