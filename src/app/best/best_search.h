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

namespace tilestep::app {

/// What a search for the best works with, at all sizes.
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
  Status ended = {};   ///< Why it cannot go on.
  [[nodiscard]] bool stopped() const { return interrupted() || !ended || !book.written(); }
};

/// Searches at one point of sizes: drops, loads, times briefly (lab/tune/tune_search.h says whom),
/// measures the fastest longer and checks the winner against float64. `seconds` bounds the search,
/// not the last measurements; 0: as long as it takes. Says on standard error what it finds, and
/// keeps it (lab/tune/tuned.h). The winner's line; nothing where it was interrupted or `ended` says
/// why.
std::optional<lab::SweepLine> searchAt(BestSearch& search, const compile::Bindings& sizes,
                                       lab::Candidates candidates, double seconds);

}  // namespace tilestep::app
