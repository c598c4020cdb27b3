// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

#include "base/error.h"
#include "device/device.h"

namespace tilestep::device {

/// When work has to end before it is done: somebody cancels it, or its time is over. Asked between
/// two pieces of work, on the thread that may call `cancelled`. Can be passed on as a Cancelled.
class Stop {
 public:
  static constexpr double kForever = 1e9;  ///< No limit, in seconds.
  /// Never.
  Stop() = default;
  /// `limitSeconds`: for all of the work, of which `spentSeconds` are over.
  explicit Stop(Cancelled cancelled, double limitSeconds = kForever, double spentSeconds = 0);

  [[nodiscard]] const Cancelled& cancelled() const { return cancelled_; }
  [[nodiscard]] bool operator()() const { return wasCancelled() || isLate(); }
  [[nodiscard]] bool wasCancelled() const { return cancelled_ && cancelled_(); }
  [[nodiscard]] bool isLate() const { return secondsLeft() <= 0; }
  /// May be negative.
  [[nodiscard]] double secondsLeft() const;
  [[nodiscard]] double spentSeconds() const { return limitSeconds_ - secondsLeft(); }
  [[nodiscard]] double limitSeconds() const { return limitSeconds_; }
  /// Time that does not count, because the work waited for others.
  void allow(double seconds);

  /// Why `what` ("filling the operands") was ended. Call it after this said so.
  [[nodiscard]] Error why(const std::string& what) const;

 private:
  using Clock = std::chrono::steady_clock;
  Cancelled cancelled_;
  double limitSeconds_ = kForever;
  Clock::time_point start_ = Clock::now();
  double before_ = 0;  ///< Seconds that were over at `start_`; below 0 where time was allowed.
};

}  // namespace tilestep::device
