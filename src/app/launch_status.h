// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "program/record.h"

namespace tilestep::app {

/// Reports the progress of a program's long launch on standard error: a line after five seconds,
/// and later ones each after twice the time.
class LaunchStatus {
 public:
  /// One thread at a time. `now`: progress of the running launch.
  void show(const program::LaunchProgress& now);

 private:
  static constexpr double kFirst = 5;
  double next_ = kFirst;
};

/// "add (hw1.cu:12) has run for 5 s, and 20.0 % of its blocks have ended; about 20 s are left". If
/// that exceeds the program's time limit, the text says so.
[[nodiscard]] std::string progressText(const program::LaunchProgress& now);

/// " (hw1.cu:12)"; empty if the line is not known.
[[nodiscard]] std::string lineText(const program::Place& place);

}  // namespace tilestep::app
