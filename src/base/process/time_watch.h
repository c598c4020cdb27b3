// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>

namespace tilestep {

/// The time limits of a helper program. `processor` limits its processor time, which is independent
/// of the machine's load; `clock` limits its elapsed time and so ends a program that only waits.
struct TimeLimits {
  static constexpr int kClocks = 10;  ///< clock / processor, by default.
  /// Sets both limits. Implicit, so that a processor time can be passed as TimeLimits.
  constexpr TimeLimits(std::chrono::milliseconds processorTime)
      : processor(processorTime), clock(kClocks * processorTime) {}

  std::chrono::milliseconds processor, clock;
};

/// Watches the time of a helper program and the process group that it leads. Not thread-safe.
class TimeWatch {
 public:
  /// Processor time that the leader used earlier does not count.
  TimeWatch(pid_t leader, const TimeLimits& limits);

  /// The limit that was reached, as text: "60.0 s of processor time" or "600 s". Empty if no limit
  /// was reached. May be called every few milliseconds: it queries the system at most ten times a
  /// second, and only if the group could have reached its limit by using all processors.
  [[nodiscard]] std::string reached();

  /// The group's processor time, as far as known: the larger of its time at the last query and the
  /// current time of the leader and its ended children.
  [[nodiscard]] std::chrono::milliseconds used() const;

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::chrono::milliseconds groupUsed() const;

  pid_t leader_;
  TimeLimits limits_;
  std::chrono::milliseconds before_;
  std::chrono::milliseconds seen_{0};  ///< The group's time at the last query.
  Clock::time_point start_ = Clock::now();
  Clock::time_point nextLook_;
};

/// "60.0 s of processor time", "600 s".
[[nodiscard]] std::string processorText(const TimeLimits& limits);
[[nodiscard]] std::string clockText(const TimeLimits& limits);

}  // namespace tilestep
