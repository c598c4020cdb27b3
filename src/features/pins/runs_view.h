// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "features/names.h"
#include "metrics/time_difference.h"
#include "model/choice/pins.h"

/// Comparison of pinned runs: how they differ, and which differences are significant. Pure.
namespace tilestep::features {

/// A run relative to the base. Values are run ÷ base - 1, so 0.1 means 10 % more.
struct RunComparison {
  bool sameWork = false;    ///< Equal operations and sizes, so times are comparable.
  bool sameDevice = false;  ///< Compared by name.
  std::optional<double> time, gflops, asked, sectors, l2, dram, occupancy;
  metrics::TimeVerdict verdict = metrics::TimeVerdict::notTold;  ///< The significance of `time`.
  std::string words;  ///< "12.3 % slower", "no significant difference: …", …
};
[[nodiscard]] RunComparison compareRuns(const Pin& run, const Pin& base);

/// The rule behind `verdict` and its source, for display.
[[nodiscard]] std::string significanceRule();

/// "m = n = k = 1024 · TILE_WIDTH 16"
[[nodiscard]] std::string experimentText(const Pin& pin);
/// "measured on NVIDIA H200, 2026-11-21", "counted by the interpreter, 2026-11-21"
[[nodiscard]] std::string originText(const Pin& pin);
/// The command that reproduces the run: "tilestep run matmul_tiled --set TILE_WIDTH=16 --size …".
[[nodiscard]] std::string commandOf(const Pin& pin);
/// "+12 %", "−3.4 %", "±0 %".
[[nodiscard]] std::string changeText(double share);

}  // namespace tilestep::features
