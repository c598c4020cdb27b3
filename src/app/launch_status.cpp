// SPDX-License-Identifier: Apache-2.0
#include "app/launch_status.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/environment.h"
#include "base/figure.h"

namespace tilestep::app {

void LaunchStatus::show(const program::LaunchProgress& now) {
  if (now.seconds < kFirst) next_ = kFirst;
  if (now.seconds < next_) return;
  next_ = 2 * now.seconds;
  say("tilestep: " + progressText(now));
}

std::string progressText(const program::LaunchProgress& now) {
  std::string text =
      fmt::format("{}{} has run for {}, and {:.1f} % of its blocks have ended", now.kernel,
                  lineText(now.place), roughly(now.seconds), 100 * now.ended);
  const std::optional<double> all = now.estimate();
  if (!all) return text;
  const double left = *all - now.seconds;
  text += fmt::format("; about {} are left", roughly(left));
  if (left > now.secondsLeft)
    text += fmt::format(", but the time limit ends the program in {} (--timeout changes it)",
                        roughly(now.secondsLeft));
  return text;
}

std::string lineText(const program::Place& place) {
  if (place.line == 0) return {};
  return fmt::format(" ({}:{})", std::filesystem::path(place.file).filename().string(), place.line);
}

}  // namespace tilestep::app
