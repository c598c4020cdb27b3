// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "program/record.h"

namespace tilestep::app {

/// Tells on standard error how far a launch of a program has come, where that takes long: a line
/// after five seconds, and later ones each after twice the time.
class LaunchStatus {
 public:
  /// Of one thread at a time. `now` is of the launch that is under way.
  void show(const program::LaunchProgress& now);

 private:
  static constexpr double kFirst = 5;
  double next_ = kFirst;
};

/// "add (hw1.cu:12) has run for 5 s, and 20.0 % of its blocks have ended; about 20 s are left".
/// Where that is more than the program may take, the text says so.
[[nodiscard]] std::string progressText(const program::LaunchProgress& now);

/// " (hw1.cu:12)"; empty where the line is not known.
[[nodiscard]] std::string lineText(const program::Place& place);

}  // namespace tilestep::app
