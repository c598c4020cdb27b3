// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "base/result.h"

/// How long frames take; waiting for events is not counted.
namespace tilestep::ui {

/// Seconds that this thread has worked.
[[nodiscard]] double threadSeconds();

/// What a frame took, milliseconds.
struct FrameCost {
  double wall = 0;                   ///< Waiting for events left out.
  double own = 0;                    ///< This thread's work until OpenGL gets the frame.
  double drawWall = 0, drawOwn = 0;  ///< Drawing and showing it; the latter this thread's part.
};

/// A line a frame, for measurements.
class FrameLog {
 public:
  /// An empty path: nothing is written.
  Status open(const std::string& path);
  void add(const FrameCost& cost);
  /// Why a line is not in the file.
  [[nodiscard]] Status written() const;

 private:
  std::string path_;
  std::ofstream file_;
};

struct FrameTimes {
  uint64_t count = 0;
  double firstMs = 0, p99Ms = 0, lastMs = 0;  ///< `first`: since the process started.
};

/// How long the work of the last 300 frames took.
class FrameClock {
 public:
  void add(double milliseconds);
  [[nodiscard]] FrameTimes times() const;

 private:
  std::vector<double> times_;
  uint64_t count_ = 0;
  double firstMs_ = 0;
};

}  // namespace tilestep::ui
