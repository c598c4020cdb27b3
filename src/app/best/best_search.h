// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/best/best_book.h"
#include "app/sweep_support.h"
#include "lab/tune/tune_candidates.h"
#include "lab/tune/tuner.h"

namespace tilestep::app {

/// The state of a search for the best tunables that all sizes share.
struct BestSearch {
  const SweepOptions& options;
  Kernel kernel;
  Axes axes;
  device::DeviceInfo device;
  uint64_t code;
  worker::Crew crew;
  BestBook book;
  std::set<std::string> devices = {};           ///< Names of the devices that answered.
  std::vector<compile::Bindings> winners = {};  ///< Winners at earlier sizes, good first guesses.
  bool wrong = false;  ///< A fast candidate's result was wrong, or the winner cannot be kept.
  Status ended = {};   ///< The reason why the search cannot continue.
  [[nodiscard]] bool stopped() const { return interrupted() || !ended || !book.file().written(); }
};

/// Searches at one choice of sizes: drops candidates, loads the others, times those that
/// lab/tune/tune_search.h selects, measures the fastest ones longer, and checks the winner against
/// float64. `seconds` limits the search without the last measurements; 0 if there is no limit.
/// Reports the result on standard error, and keeps it (lab/tune/tuned.h). Returns the winner's
/// line; nothing if the search was interrupted, or if there is no winner (`ended` has the reason).
std::optional<lab::SweepLine> searchAt(BestSearch& search, const compile::Bindings& sizes,
                                       lab::Candidates candidates, double seconds);

}  // namespace tilestep::app
