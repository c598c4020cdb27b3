// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/best/best_search.h"

/// What a search for the best tunables reports, and what it keeps.
namespace tilestep::app {

/// How far the search at one choice of sizes has come.
struct BestTally {
  uint64_t combinations = 0, legal = 0;
  uint64_t notCompiled = 0;  ///< Legal ones that were dropped before compiling.
  uint64_t timed = 0, dropped = 0, failed = 0;
};

/// A choice and its time.
struct BestChoice {
  compile::Bindings tunables;
  double ms = 0;
};

/// "0.382 ms"
[[nodiscard]] std::string milliseconds(double ms);
/// "rung13_top at m 1024, n 1024, k 1024"
[[nodiscard]] std::string whereText(const BestSearch& search, const compile::Bindings& sizes);

/// A sentence for standard error, "tilestep: …", before the search.
[[nodiscard]] std::string candidatesText(const BestSearch& search, const compile::Bindings& sizes,
                                         const BestTally& tally);
/// A sentence for a search that was interrupted.
[[nodiscard]] std::string stoppedText(const BestSearch& search, const compile::Bindings& sizes,
                                      const BestTally& tally,
                                      const std::optional<BestChoice>& best);
/// A sentence about the winner. `defaultMs`: the defaults' time, if they were timed.
[[nodiscard]] std::string wonText(const BestTally& tally, const BestChoice& winner,
                                  std::optional<double> defaultMs, bool winnerIsDefault);

/// Keeps the winner (lab/tune/tuned.h) unless --set left choices out, and returns what to say about
/// it: "; its result agrees with float64; kept: …".
[[nodiscard]] std::string keepBest(BestSearch& search, const compile::Bindings& sizes,
                                   const BestTally& tally, const BestChoice& winner);

}  // namespace tilestep::app
