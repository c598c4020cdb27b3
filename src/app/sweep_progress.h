// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "worker/client.h"

namespace tilestep::app {

/// One line on standard error that is written over where that is a terminal, else a new one now
/// and then.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Whether a line would be shown now, so that none is made in vain.
  [[nodiscard]] bool due() const;
  /// `detail` is for terminals alone.
  void show(const std::string& line, const std::string& detail);
  /// Before something else is said.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  const bool terminal_;
  Clock::time_point shownAt_ = Clock::now();
  bool shown_ = false;
};

/// "12 of 200 points · 3 min left · running on …".
class SweepProgress {
 public:
  /// `before`: points that are done without this run.
  SweepProgress(size_t before, size_t planned);

  void show(size_t finished, const std::optional<worker::Progress>& progress);
  /// Before something else is said.
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::string text(size_t finished, Clock::time_point now) const;

  const size_t before_, planned_;
  const Clock::time_point started_ = Clock::now();
  std::string stage_;
  StatusLine line_;
};

/// "40 s", "3 min", "2 h 5 min": as precise as an estimate can be.
[[nodiscard]] std::string roughly(double seconds);

}  // namespace tilestep::app
