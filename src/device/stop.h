// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "base/error.h"
#include "device/device.h"

namespace tilestep::device {

/// Decides when work must end before it is complete: it is cancelled, or its time is over. Polled
/// between two pieces of work, on the thread that may call `cancelled`. Convertible to Cancelled.
class Stop {
 public:
  static constexpr double kForever = 1e9;  ///< No limit, in seconds.
  /// Never stops.
  Stop() = default;
  /// `limitSeconds` applies to all of the work, of which `spentSeconds` have passed.
  explicit Stop(Cancelled cancelled, double limitSeconds = kForever, double spentSeconds = 0);

  [[nodiscard]] const Cancelled& cancelled() const { return cancelled_; }
  [[nodiscard]] bool operator()() const { return wasCancelled() || isLate(); }
  [[nodiscard]] bool wasCancelled() const { return cancelled_ && cancelled_(); }
  [[nodiscard]] bool isLate() const { return secondsLeft() <= 0; }
  /// May be negative.
  [[nodiscard]] double secondsLeft() const;
  [[nodiscard]] double spentSeconds() const { return limitSeconds_ - secondsLeft(); }
  [[nodiscard]] double limitSeconds() const { return limitSeconds_; }
  /// Excludes time that the work spent waiting for others from the limit.
  void allow(double seconds);

  /// Why `what` ("filling the operands") was stopped. Requires that this object has returned true.
  [[nodiscard]] Error why(const std::string& what) const;

 private:
  using Clock = std::chrono::steady_clock;
  Cancelled cancelled_;
  double limitSeconds_ = kForever;
  Clock::time_point start_ = Clock::now();
  double before_ = 0;  ///< Seconds spent before `start_`; negative if time was excluded.
};

}  // namespace tilestep::device
