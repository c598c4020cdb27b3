// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "program/record.h"

namespace tilestep::app {

/// Reports the progress of a program's long launch on standard error, first after five seconds and
/// then each time the launch has run twice as long.
class LaunchStatus {
 public:
  /// Must not be called concurrently. `now`: progress of the running launch.
  void show(const program::LaunchProgress& now);

 private:
  static constexpr double kFirst = 5;
  double next_ = kFirst;
};

/// "add (hw1.cu:12) has run for 5 s, and 20.0 % of its blocks have ended; about 20 s are left".
/// Adds a warning if the program's time limit comes first.
[[nodiscard]] std::string progressText(const program::LaunchProgress& now);

/// " (hw1.cu:12)"; empty if the line is not known.
[[nodiscard]] std::string lineText(const program::Place& place);

}  // namespace tilestep::app
