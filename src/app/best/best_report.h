// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "app/best/best_search.h"

/// The reports of a search for the best tunables, and how its result is kept.
namespace tilestep::app {

/// "0.382 ms"
[[nodiscard]] std::string milliseconds(double ms);
/// "rung13_top at m 1024, n 1024, k 1024"
[[nodiscard]] std::string whereText(const BestSearch& search, const compile::Bindings& sizes);

/// A sentence for standard error, "tilestep: …", before the search.
[[nodiscard]] std::string candidatesText(const BestSearch& search, const compile::Bindings& sizes,
                                         const lab::TuneTally& tally);
/// A sentence for a search that was interrupted. `best`: the fastest choice so far and its time.
[[nodiscard]] std::string stoppedText(
    const BestSearch& search, const compile::Bindings& sizes, const lab::TuneTally& tally,
    const std::optional<std::pair<compile::Bindings, double>>& best);
/// A sentence about the winner. `defaultMs`: the defaults' time, if they were timed.
[[nodiscard]] std::string wonText(const BestSearch& search, const lab::TuneTally& tally,
                                  const lab::Tuned& winner, std::optional<double> defaultMs);

/// Keeps the winner (lab/tune/tuned.h) unless --set left choices out, and returns what to say about
/// it: "; its result agrees with float64; kept: …".
[[nodiscard]] std::string keepBest(BestSearch& search, lab::Tuned winner);

}  // namespace tilestep::app
