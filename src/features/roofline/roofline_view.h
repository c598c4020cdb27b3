// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/device.h"
#include "features/names.h"
#include "lab/experiment.h"
#include "metrics/roofline.h"
#include "model/roofline_marks.h"
#include "model/view.h"

namespace tilestep::model {
struct Pins;
}

namespace tilestep::features {

/// A sloped roof: bytes per second of one level.
struct Roof {
  metrics::Level level = metrics::Level::dram;
  std::string name;  ///< "DRAM 4.26 TB/s"
  double bytesPerSecond = 0;
  double ridge =
      0;  ///< The intensity at which it meets FP32's peak, FLOP/B; 0: the peak is not known.
};

struct RoofPoint {
  metrics::RooflinePoint point;
  bool companion = false;
  /// FLOP/s to draw it at: measured, or the bound that its own level's roof sets; absent: not
  /// drawn.
  std::optional<double> flopPerSecond;
  std::optional<double> attainable;  ///< The limit by its own level's roof, FLOP/s; computed.
  bool bound = false;                ///< `flopPerSecond` is computed, not measured.
  std::string caches;  ///< Of the runs that were timed: "cold" or "warm"; empty: none was timed.
  std::string words;   ///< "35 % of what L1 allows here; 8 % of FP32"
  std::string why;     ///< Of the lanes' model, where it lies above DRAM's roof: why. Else empty.
  std::string hover;   ///< Formulas with this run's numbers, and where each number comes from.
};

/// The content of the roofline plot.
struct RooflineView : View {
  static constexpr std::string_view kFeature = "roofline";
  std::string device;  ///< Whose roofs: "NVIDIA H200".
  std::string origin;  ///< "measured 2026-11-20" or "computed from published figures".
  bool measured = false;
  std::optional<double> peakFlopPerSecond;
  std::vector<Roof> roofs;
  std::vector<RoofPoint> points;
  std::string of;  ///< The sizes that the points are of: "m = n = k = 1024".
  /// The level of the main kernel's that is nearest to its own roof; where nothing was timed, the
  /// lanes' model. Nothing without points.
  std::optional<metrics::Level> nearest;
  std::string
      verdict;  ///< The conclusion for the main kernel, in a sentence; empty without points.
  std::vector<ReferenceMark> marks;
  /// How measured roofs and the data sheet's compare, in a sentence; empty where one is not known.
  std::string published;
  std::vector<RoofTrace> trail;   ///< Earlier choices of the main kernel; oldest first, by level.
  std::vector<RoofTrace> pinned;  ///< In the order of the pins, by level.
  std::vector<RoofTrace> rungs;   ///< Measured, of the same work; `number` is the rung's.

  [[nodiscard]] const Roof* roofOf(metrics::Level level) const;
};

struct RooflineInputs {
  const device::Ceilings* ceilings = nullptr;  ///< Null: no roofs are known.
  /// A data sheet's, of the device whose ceilings were measured; null: none is known.
  const device::Ceilings* published = nullptr;
  const lab::RunResult *companion = nullptr, *main = nullptr;  ///< Either may be null.
  /// The roofs are another device's than the one that was measured, so that its times and hardware
  /// counters are left out.
  bool whatIf = false;
  /// The main kernel's point was recorded, and the roofs need not be those of its own machine.
  bool otherMachine = false;
  RooflineMarks marks;
  std::span<const FormerRun> former;  ///< Oldest first; the present run may be the last of them.
  const Pins* pins = nullptr;
};

/// Without a measurement each point stands on its own level's roof as a bound, marked as computed.
[[nodiscard]] RooflineView rooflineOf(const RooflineInputs& in);

}  // namespace tilestep::features
