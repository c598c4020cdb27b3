// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/names.h"
#include "features/sweeps/sweep_samples.h"

namespace tilestep::features {

/// One point, ready to be drawn.
struct SweepCell {
  enum class State : uint8_t {
    waiting,  ///< Not run yet.
    done,
    missing,  ///< It has no such value; `hover` gives the reason.
    illegal   ///< It cannot run.
  };
  State state = State::waiting;
  size_t point = 0;  ///< Index into SweepPlan::points.
  SweepValue value;
  bool now = false;  ///< The present choice.
  bool best = false;
  uint32_t machine = 0;  ///< SweepSample::machine
  /// The reason why the value is missing or the point cannot run; otherwise empty.
  std::string reason;
  std::string hover;  ///< The full text.
};

/// The progress of a run.
struct SweepProgress {
  bool running = false;
  bool paused = false;  ///< Something more urgent is requested.
  size_t done = 0, all = 0;
  std::optional<double> secondsLeft;  ///< Estimated from the points so far.
  std::string what;                   ///< The running point: "tiled, TILE_WIDTH 12".
  /// The title of the running sweep, if it is not the one shown.
  std::string title;
};

/// A sweep, ready to be drawn.
struct SweepView {
  std::shared_ptr<const SweepPlan> plan;
  SweepQuantity quantity = SweepQuantity::speed;  ///< Never automatic.
  std::vector<SweepQuantity> quantities;          ///< The quantities that can be shown.
  std::vector<SweepCell> cells;                   ///< One for each point of the plan, in its order.
  std::string title;                              ///< "FLOP/s over TILE_WIDTH"
  std::string fixed;                              ///< "m = n = k = 1024"
  std::string origin;                             ///< "recorded on NVIDIA H200, 2026-11-21"
  std::string axis;                               ///< The value axis, with its unit.
  std::string story;         ///< One sentence about the data; without data, what would be run.
  double low = 0, high = 0;  ///< Range of all values and their spreads; both 0: there are none.
  size_t done = 0, waiting = 0, missing = 0, illegal = 0;
  std::optional<double> secondsLeft;  ///< Estimated time of the waiting points.
  std::string wish;  ///< "C runs 32 points, about 9 s"; empty: nothing is left to run.
  std::string file;  ///< The opened file that the points are from, if any.
  SweepProgress progress;
};

struct SweepViewInputs {
  std::shared_ptr<const SweepPlan> plan;
  SweepQuantity quantity = SweepQuantity::automatic;
  /// Null: nothing is known about the point.
  std::function<const SweepSample*(const SweepPoint&)> find;
  /// The present choice: sizes and tunables of each series' kernel; by series.
  std::vector<compile::Bindings> now;
  std::optional<double> secondsAPoint;  ///< To estimate the time of the remaining points.
  std::string file;
};

[[nodiscard]] SweepView sweepViewOf(const SweepViewInputs& inputs);

/// "tiled, TILE_WIDTH 16"; with sizes if they are an axis.
[[nodiscard]] std::string pointNameOf(const SweepPlan& plan, const SweepPoint& point);

/// The neighbour of cell `at`, `dx` columns to the right and `dy` rows up (or `dy` kernels further,
/// if there is one axis), clamped to the range. If `at` is absent: the present choice, otherwise
/// the best cell, otherwise the first. Absent if there are no cells.
[[nodiscard]] std::optional<size_t> neighbourOf(const SweepView& view, std::optional<size_t> at,
                                                int dx, int dy);

/// The chosen kernel's best cell in a sweep over tunables; absent in other sweeps, and if all of
/// its values are equal.
[[nodiscard]] std::optional<size_t> bestToChoose(const SweepView& view);

/// "9 s", "2 min".
[[nodiscard]] std::string durationText(double seconds);

}  // namespace tilestep::features
