// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "worker/client.h"

namespace tilestep::app {

/// "12 of 200 points · 3 min left · running on …" on standard error: one line that is written over
/// where that is a terminal, else a new one now and then.
class SweepProgress {
 public:
  /// `before`: points that are done without this run.
  SweepProgress(size_t before, size_t planned);
  ~SweepProgress() { clear(); }
  SweepProgress(const SweepProgress&) = delete;
  SweepProgress& operator=(const SweepProgress&) = delete;

  void show(size_t finished, const std::optional<worker::Progress>& progress);
  /// Before something else is said.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::string text(size_t finished, Clock::time_point now) const;

  const size_t before_, planned_;
  const bool terminal_;
  const Clock::time_point started_ = Clock::now();
  Clock::time_point shownAt_ = started_;
  std::string stage_;
  bool shown_ = false;
};

/// "40 s", "3 min", "2 h 5 min": as exactly as a guess deserves.
[[nodiscard]] std::string roughly(double seconds);

}  // namespace tilestep::app
