// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/sweeps/sweep_samples.h"

namespace tilestep::model {

/// One point as it is drawn.
struct SweepCell {
  enum class State : uint8_t {
    waiting,  ///< Not run yet.
    done,
    missing,  ///< A gap: it has no such number; `hover` says why.
    illegal   ///< It cannot run.
  };
  State state = State::waiting;
  size_t point = 0;  ///< Index into SweepPlan::points.
  SweepValue value;
  bool now = false;  ///< The present choice.
  bool best = false;
  std::string reason;  ///< Of a gap, and why it cannot run; else empty.
  std::string hover;   ///< All of it in words.
};

/// How far a run is.
struct SweepProgress {
  bool running = false;
  bool paused = false;  ///< Something more urgent is asked for.
  size_t done = 0, all = 0;
  std::optional<double> secondsLeft;  ///< From the points so far.
  std::string what;                   ///< What runs now: "tiled, TILE_WIDTH 12".
  std::string title;                  ///< Of what runs, where that is not the picture.
};

/// A sweep's picture, ready to be drawn.
struct SweepView {
  std::shared_ptr<const SweepPlan> plan;
  SweepQuantity quantity = SweepQuantity::speed;  ///< Never automatic.
  std::vector<SweepQuantity> quantities;          ///< Those that can be shown.
  std::vector<SweepCell> cells;                   ///< One each point of the plan, in its order.
  std::string title;                              ///< "FLOP/s over TILE_WIDTH"
  std::string fixed;                              ///< "m = n = k = 1024"
  std::string origin;                             ///< "recorded on NVIDIA H200, 2026-11-21"
  std::string axis;                               ///< Of the values, with their unit.
  std::string story;         ///< One sentence of the data; what would be run where there is none.
  double low = 0, high = 0;  ///< Of all values and their spreads; both 0: there is none.
  size_t done = 0, waiting = 0, missing = 0, illegal = 0;
  std::string wish;  ///< "C runs 32 points, about 9 s"; empty: nothing is left to run.
  std::string file;  ///< Where the points are from, if from a file that was opened.
  SweepProgress progress;
};

struct SweepViewInputs {
  std::shared_ptr<const SweepPlan> plan;
  SweepQuantity quantity = SweepQuantity::automatic;
  /// Null: nothing is known of the point.
  std::function<const SweepSample*(const SweepPoint&)> find;
  /// The present choice: sizes and tunables of each series' kernel; by series.
  std::vector<compile::Bindings> now;
  std::optional<double> secondsAPoint;  ///< For what is left to run.
  std::string file;
};

[[nodiscard]] SweepView sweepViewOf(const SweepViewInputs& inputs);

/// "tiled, TILE_WIDTH 16"; with sizes where the picture goes over them.
[[nodiscard]] std::string pointNameOf(const SweepPlan& plan, const SweepPoint& point);

/// The cell beside `at` in the picture, `dx` columns to the right and `dy` rows up (or kernels on,
/// where there is one axis); staying inside. Nothing chosen: the present choice, else the best,
/// else the first. Nothing where there are no cells.
[[nodiscard]] std::optional<size_t> neighbourOf(const SweepView& view, std::optional<size_t> at,
                                                int dx, int dy);

/// "9 s", "2 min".
[[nodiscard]] std::string durationText(double seconds);

}  // namespace tilestep::model
