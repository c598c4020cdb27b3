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
    missing,  ///< There is no such value; `reason` says why.
    illegal   ///< The point cannot run.
  };
  State state = State::waiting;
  size_t point = 0;  ///< Index into SweepPlan::points.
  SweepValue value;
  bool now = false;  ///< The present choice.
  bool best = false;
  uint32_t machine = 0;  ///< SweepSample::machine
  std::string reason;    ///< For `missing` and `illegal`; otherwise empty.
  std::string hover;
};

/// The progress of a run.
struct SweepProgress {
  bool running = false;
  bool paused = false;  ///< More urgent runs go first.
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
  std::string origin;                             ///< "recorded on NVIDIA H200, 2026-11-21"
  std::string axis;                               ///< The value axis, with its unit.
  std::string story;                              ///< sweepStory
  double low = 0, high = 0;  ///< Range of all values and their spreads; both 0 without values.
  size_t done = 0, waiting = 0, missing = 0, illegal = 0;
  std::optional<double> secondsLeft;  ///< Estimated time of the waiting points.
  std::string wish;  ///< "C runs 32 points, about 9 s"; empty if nothing is left to run.
  std::string file;  ///< The opened file that the points are from, if any.
};

struct SweepViewInputs {
  std::shared_ptr<const SweepPlan> plan;
  SweepQuantity quantity = SweepQuantity::automatic;
  /// The point's sample; null if nothing is known about the point.
  std::function<const SweepSample*(const SweepPoint&)> find;
  /// The presently chosen sizes and tunables of each series' kernel.
  std::vector<compile::Bindings> now;
  std::optional<double> secondsAPoint;  ///< To estimate the time of the remaining points.
  std::string file;
};

[[nodiscard]] SweepView sweepViewOf(const SweepViewInputs& inputs);

/// Summarises the cells: the best point with its value, how much better it is than the worst point
/// or than the other kernel, why the axis ends, and which points are missing. Without values, says
/// what would run.
[[nodiscard]] std::string sweepStory(const SweepView& view);

/// "tiled, TILE_WIDTH 16"; with sizes if they are an axis.
[[nodiscard]] std::string pointNameOf(const SweepPlan& plan, const SweepPoint& point);

/// The neighbour of cell `at` in the direction of `dx` columns to the right or `dy` rows up (or
/// `dy` kernels further, if there is one axis); `at` itself at an edge. If `at` is absent, the
/// present choice, the best cell or the first. Absent if there are no cells.
[[nodiscard]] std::optional<size_t> neighbourOf(const SweepView& view, std::optional<size_t> at,
                                                int dx, int dy);

/// The chosen kernel's best cell in a sweep over tunables; absent in other sweeps, and if all its
/// values are equal.
[[nodiscard]] std::optional<size_t> bestToChoose(const SweepView& view);

/// "9 s", "2 min".
[[nodiscard]] std::string durationText(double seconds);

}  // namespace tilestep::features
