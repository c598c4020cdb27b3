// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

namespace tilestep {

/// How long a helper program may take. It may use `processor` of processor time, which does not
/// depend on what else the machine does. `clock` ends one that waits without using the processor.
struct TimeLimits {
  static constexpr int kClocks = 10;  ///< How many times as long the clock's limit is.
  /// Not explicit: a processor time alone sets both.
  constexpr TimeLimits(std::chrono::milliseconds processorTime)
      : processor(processorTime), clock(kClocks * processorTime) {}

  std::chrono::milliseconds processor, clock;
};

/// Watches a helper program, which leads a process group and counts with all of it. One thread.
class TimeWatch {
 public:
  /// What the leader has used before does not count.
  TimeWatch(pid_t leader, const TimeLimits& limits);

  /// The limit that is reached, as in "it had not ended after 60.0 s of processor time" or "after
  /// 600 s"; empty: none is. May be asked every few milliseconds: it asks the system only where the
  /// group may have reached its limit by now, with all processors, and ten times a second at most.
  [[nodiscard]] std::string reached();

  /// The processor time that the group has used, as far as it is known: what it had used when the
  /// system was last asked, or what the leader and its ended children have now, if that is more.
  [[nodiscard]] std::chrono::milliseconds used() const;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::chrono::milliseconds groupUsed() const;

  pid_t leader_;
  TimeLimits limits_;
  std::chrono::milliseconds before_;
  std::chrono::milliseconds seen_{0};  ///< What the group had used at the last look.
  Clock::time_point start_ = Clock::now();
  Clock::time_point nextLook_;
};

/// "60.0 s of processor time", "600 s".
[[nodiscard]] std::string processorText(const TimeLimits& limits);
[[nodiscard]] std::string clockText(const TimeLimits& limits);

}  // namespace tilestep
