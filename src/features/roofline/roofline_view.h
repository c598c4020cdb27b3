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
      0;  ///< The intensity at which it meets FP32's peak, FLOP/B; 0: the peak is unknown.
};

struct RoofPoint {
  metrics::RooflinePoint point;
  bool companion = false;
  /// The FLOP/s at which to draw it: measured, or the bound by its own level's roof; absent: not
  /// drawn.
  std::optional<double> flopPerSecond;
  std::optional<double> attainable;  ///< The limit by its own level's roof, FLOP/s; computed.
  bool bound = false;                ///< `flopPerSecond` is computed, not measured.
  /// The state of the caches in the timed runs: "cold" or "warm"; empty: nothing was timed.
  std::string caches;
  std::string words;  ///< "35 % of what L1 allows here; 8 % of FP32"
  /// For the lanes' model, if it lies above DRAM's roof: the reason. Otherwise empty.
  std::string why;
  std::string hover;  ///< Formulas with this run's numbers and their origins.
};

/// The content of the roofline plot.
struct RooflineView : View {
  static constexpr std::string_view kFeature = "roofline";
  std::string device;  ///< The roofs' device: "NVIDIA H200".
  std::string origin;  ///< "measured 2026-11-20" or "computed from published figures".
  bool measured = false;
  std::optional<double> peakFlopPerSecond;
  std::vector<Roof> roofs;
  std::vector<RoofPoint> points;
  std::string of;  ///< The sizes of the points: "m = n = k = 1024".
  /// The main kernel's level that is nearest to its own roof; if nothing was timed, the lanes'
  /// model. Absent without points.
  std::optional<metrics::Level> nearest;
  std::string
      verdict;  ///< The conclusion for the main kernel, in a sentence; empty without points.
  std::vector<ReferenceMark> marks;
  /// Compares the measured roofs with the data sheet, in a sentence; empty if one is unknown.
  std::string published;
  std::vector<RoofTrace> trail;   ///< Earlier choices of the main kernel; oldest first, by level.
  std::vector<RoofTrace> pinned;  ///< In the order of the pins, by level.
  std::vector<RoofTrace> rungs;   ///< Measured, for the same work; `number` is the rung's.

  [[nodiscard]] const Roof* roofOf(metrics::Level level) const;
};

struct RooflineInputs {
  const device::Ceilings* ceilings = nullptr;  ///< Null: no roofs are known.
  /// The data sheet of the device whose ceilings were measured; null: none is known.
  const device::Ceilings* published = nullptr;
  const lab::RunResult *companion = nullptr, *main = nullptr;  ///< Either may be null.
  /// The roofs belong to another device than the measured one, so its times and hardware counters
  /// are omitted.
  bool whatIf = false;
  /// The main kernel's point was recorded, and the roofs may belong to another machine.
  bool otherMachine = false;
  RooflineMarks marks;
  std::span<const FormerRun> former;  ///< Oldest first; the present run may be the last of them.
  const Pins* pins = nullptr;
};

/// Without a measurement each point lies on its own level's roof as a bound, marked as computed.
[[nodiscard]] RooflineView rooflineOf(const RooflineInputs& in);

}  // namespace tilestep::features
