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

/// A sloped roof, given by one level's bytes per second.
struct Roof {
  metrics::Level level = metrics::Level::dram;
  std::string name;  ///< "DRAM 4.26 TB/s"
  double bytesPerSecond = 0;
  double ridge = 0;  ///< Its intensity at the FP32 peak, in FLOP/B; 0 if unknown.
};

struct RoofPoint {
  metrics::RooflinePoint point;
  bool companion = false;
  /// The drawn FLOP/s: measured, or the bound by its own roof. Absent if not drawn.
  std::optional<double> flopPerSecond;
  std::optional<double> attainable;  ///< The limit by its own level's roof, in FLOP/s; computed.
  bool bound = false;                ///< `flopPerSecond` is computed, not measured.
  /// The state of the caches in the timed runs: "cold" or "warm"; empty if nothing was timed.
  std::string caches;
  std::string words;  ///< "35 % of what L1 allows here; 8 % of FP32"
  /// The reason why the point of the lanes' model is above DRAM's roof; otherwise empty.
  std::string why;
  std::string hover;  ///< Formulas with this run's values and their origins.
};

struct RooflineView : View {
  static constexpr std::string_view kFeature = "roofline";
  std::string device;  ///< The roofs' device: "NVIDIA H200".
  std::string origin;  ///< "measured 2026-11-20" or "computed from published figures".
  bool measured = false;
  std::optional<double> peakFlopPerSecond;
  std::vector<Roof> roofs;
  std::vector<RoofPoint> points;
  std::string of;  ///< The sizes of the points: "m = n = k = 1024".
  /// The level nearest to its own roof; without times, the lanes' model. Absent without points.
  std::optional<metrics::Level> nearest;
  std::string verdict;  ///< Conclusion for the main kernel, in a sentence; empty without points.
  std::vector<ReferenceMark> marks;
  /// Compares the measured roofs with the data sheet in a sentence; empty if either is unknown.
  std::string published;
  std::vector<RoofTrace> trail;   ///< Earlier choices, oldest first, then by level.
  std::vector<RoofTrace> pinned;  ///< In the order of the pins, with a point for each level.
  std::vector<RoofTrace> rungs;   ///< Measured, for the same work; `number` is the rung's.

  [[nodiscard]] const Roof* roofOf(metrics::Level level) const;
};

struct RooflineInputs {
  const device::Ceilings* ceilings = nullptr;  ///< Null if no roofs are known.
  /// The data sheet of the device whose ceilings were measured; null if unknown.
  const device::Ceilings* published = nullptr;
  const lab::RunResult *companion = nullptr, *main = nullptr;  ///< Either may be null.
  /// The roofs belong to another device, so measured times and hardware counters are omitted.
  bool whatIf = false;
  /// The main kernel's point was recorded, perhaps on a different machine than the roofs.
  bool otherMachine = false;
  RooflineMarks marks;
  std::span<const FormerRun> former;  ///< Oldest first. The last run may be the present one.
  const Pins* pins = nullptr;
};

/// Without a measurement, each point is the bound by its own level's roof, marked as computed.
[[nodiscard]] RooflineView rooflineOf(const RooflineInputs& in);

}  // namespace tilestep::features
