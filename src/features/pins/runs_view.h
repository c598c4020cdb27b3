// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "metrics/time_difference.h"
#include "model/choice/pins.h"

/// Pinned runs side by side: what tells one from another, and what only seems to. Pure.
namespace tilestep::model {

/// A run against the base; shares of the base's figure less 1, so that 0.1 is 10 % more.
struct RunComparison {
  bool sameWork = false;    ///< The same operations at the same sizes: times compare.
  bool sameDevice = false;  ///< By name.
  std::optional<double> time, gflops, asked, sectors, l2, dram, occupancy;
  metrics::TimeVerdict verdict = metrics::TimeVerdict::notTold;  ///< Of `time`.
  std::string words;  ///< "12.3 % slower", "not told apart by their spread", …
};
[[nodiscard]] RunComparison compareRuns(const Pin& run, const Pin& base);

/// How `verdict` is found, and its source, for the screen.
[[nodiscard]] std::string significanceRule();

/// "m = n = k = 1024 · TILE_WIDTH 16"
[[nodiscard]] std::string experimentText(const Pin& pin);
/// "measured on NVIDIA H200, 2026-11-21", "counted by the interpreter, 2026-11-21"
[[nodiscard]] std::string originText(const Pin& pin);
/// The command that makes the same run: "tilestep run matmul_tiled --set TILE_WIDTH=16 --size …".
[[nodiscard]] std::string commandOf(const Pin& pin);
/// "+12 %", "−3.4 %", "±0 %".
[[nodiscard]] std::string changeText(double share);

}  // namespace tilestep::model
