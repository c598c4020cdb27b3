// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "worker/client.h"

namespace tilestep::app {

/// A status line on standard error. On a terminal it is overwritten; otherwise a new line is
/// printed now and then.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  /// Whether show() would show a line now. If not, the caller need not format one.
  [[nodiscard]] bool due() const;
  /// `detail` is shown only on terminals.
  void show(const std::string& line, const std::string& detail);
  /// Removes the line. Must be called before other output.
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
  /// `before` is the number of points that were done before this run.
  SweepProgress(size_t before, size_t planned);

  void show(size_t finished, const std::optional<worker::Progress>& progress);
  /// Removes the line. Must be called before other output.
  void clear() { line_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] std::string text(size_t finished, Clock::time_point now) const;

  const size_t before_, planned_;
  const Clock::time_point started_ = Clock::now();
  std::string stage_;
  StatusLine line_;
};

}  // namespace tilestep::app
