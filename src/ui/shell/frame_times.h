// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "base/result.h"

/// How long frames take, without the time spent waiting for events.
namespace tilestep::ui {

/// The CPU time of this thread in seconds.
[[nodiscard]] double threadSeconds();

/// The cost of one frame in milliseconds.
struct FrameCost {
  double wall = 0;  ///< Wall time without waiting for events.
  double own = 0;   ///< CPU time of this thread until the frame is handed to OpenGL.
  double drawWall = 0, drawOwn = 0;  ///< Drawing and showing it: wall and CPU time.
};

class FrameLog {
 public:
  /// An empty path turns the log off.
  Status open(const std::string& path);
  void add(const FrameCost& cost);
  /// An error if a line could not be written.
  [[nodiscard]] Status written() const;

 private:
  std::string path_;
  std::ofstream file_;
};

struct FrameTimes {
  uint64_t count = 0;
  double firstMs = 0, p99Ms = 0, lastMs = 0;  ///< `firstMs`: since the process started.
};

/// Keeps the durations of the last 300 frames.
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
