// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "lab/experiment.h"
#include "metrics/roofline.h"

namespace tilestep::session {

/// A sloped roof: bytes per second of one level.
struct Roof {
  metrics::Level level = metrics::Level::dram;
  std::string name;  ///< "DRAM 4.26 TB/s"
  double bytesPerSecond = 0;
};

struct RoofPoint {
  metrics::RooflinePoint point;
  bool companion = false;
  /// FLOP/s to draw it at: measured, or the bound that its own level's roof sets; absent: not
  /// drawn.
  std::optional<double> flopPerSecond;
  std::optional<double> attainable;  ///< What its own level's roof allows, FLOP/s; computed.
  bool bound = false;                ///< `flopPerSecond` is computed, not measured.
  std::string
      hover;  ///< What it is, why it may lie above a roof, and where each number comes from.
};

/// What the roofline plot draws.
struct RooflineView {
  std::string device;  ///< Whose roofs: "NVIDIA H200".
  std::string origin;  ///< "measured 2026-11-20" or "computed from published figures".
  bool measured = false;
  std::optional<double> peakFlopPerSecond;
  std::vector<Roof> roofs;
  std::vector<RoofPoint> points;
  std::string of;  ///< What the points are of: "m = n = k = 1024".
};

/// Either result may be null. Without a measurement each point stands on its own level's roof as a
/// bound, marked as computed. `elsewhere`: the roofs are another device's than the one that was
/// measured, so that its times and hardware counters are left out.
[[nodiscard]] RooflineView rooflineOf(const device::Ceilings* ceilings,
                                      const lab::Result* companion, const lab::Result* main,
                                      bool elsewhere = false);

}  // namespace tilestep::session
