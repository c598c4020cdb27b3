// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

namespace tilestep {

/// The time limits of a helper program. `processor` limits its processor time, which is independent
/// of the machine's load; `clock` ends one that waits without using the processor.
struct TimeLimits {
  static constexpr int kClocks = 10;  ///< The clock's limit in multiples of the other.
  /// Not explicit: a processor time alone sets both.
  constexpr TimeLimits(std::chrono::milliseconds processorTime)
      : processor(processorTime), clock(kClocks * processorTime) {}

  std::chrono::milliseconds processor, clock;
};

/// Watches a helper program and the process group that it leads. For one thread.
class TimeWatch {
 public:
  /// The leader's earlier time does not count.
  TimeWatch(pid_t leader, const TimeLimits& limits);

  /// The limit that is reached, as in "it had not ended after 60.0 s of processor time" or "after
  /// 600 s"; empty: none. May be called every few milliseconds: it asks the system only if the
  /// group may have reached its limit by now, with all processors, and at most ten times a second.
  [[nodiscard]] std::string reached();

  /// The known processor time of the group: its time when the system was last asked, or the present
  /// time of the leader and its ended children, if that is more.
  [[nodiscard]] std::chrono::milliseconds used() const;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::chrono::milliseconds groupUsed() const;

  pid_t leader_;
  TimeLimits limits_;
  std::chrono::milliseconds before_;
  std::chrono::milliseconds seen_{0};  ///< The group's time at the last look.
  Clock::time_point start_ = Clock::now();
  Clock::time_point nextLook_;
};

/// "60.0 s of processor time", "600 s".
[[nodiscard]] std::string processorText(const TimeLimits& limits);
[[nodiscard]] std::string clockText(const TimeLimits& limits);

}  // namespace tilestep
