// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "features/names.h"
#include "model/feature.h"
#include "model/files/lab_file.h"
#include "model/snapshot.h"

namespace tilestep::features {

/// One figure of the speed board.
struct SpeedFigure {
  std::string name;   ///< "DRAM, caches cold"
  std::string value;  ///< "1.42 TB/s"
  std::string from;   ///< How the figure was made, and on which machine, in a sentence.
  double number = 0;  ///< The value: FLOP/s, bytes/s, seconds, or a share from 0 to 1.
  bool isShare = false;
};

/// The name of the figure that is the speed itself, FLOP/s.
inline constexpr const char* kWork = "work";

/// How fast the chosen launch ran: its time, FLOP/s, DRAM's bytes/s and its share of the roof that
/// it is nearest to; those that are known. Empty where nothing was measured of the present choice,
/// for neither counts nor bounds are speeds.
[[nodiscard]] std::vector<SpeedFigure> speedFiguresOf(const Snapshot& now);

/// FLOP/s over the values of one tunable, everything else as chosen.
struct SpeedTrend {
  struct Point {
    int64_t value = 0;
    double flops = 0;
  };
  std::string tunable;
  std::string note;           ///< The kernel author's remark on this line; may be empty.
  std::vector<Point> points;  ///< Known points, by ascending value.
  std::optional<Point> now;   ///< The chosen launch.
  /// The kernel that it is compared with, at the same values and in equal blocks unless its blocks
  /// were chosen: where its FLOP/s are known.
  std::vector<Point> otherPoints;
  std::optional<Point> other;  ///< Its launch beside the chosen one.
  std::string otherName;  ///< That kernel's name, "naive"; or its launch where both are one kernel.
};

/// The chosen launch and the one that it is compared with, in large type.
struct SpeedBoardView : View {
  static constexpr std::string_view kFeature = "speed_board";
  std::string kernel, other;      ///< "tiled", "naive in blocks of 16 × 16"; may be empty.
  std::string speed, otherSpeed;  ///< "1.60 TFLOP/s"; empty: not known.
  std::string comparison;         ///< "3.2 times slower"; empty: there is no ratio.
  std::string missing;            ///< Why there is no ratio, in a sentence; otherwise empty.
  /// Which blocks of the other kernel were timed and which the scene draws, where they differ.
  std::string drawn;
  std::string instead;  ///< Why it is another launch that is shown, and which.
  /// "timed at n = 16,777,216, BLOCK 256": the open lab's launch of this kernel, which is shown
  /// because the chosen one is not recorded.
  std::string timedAt;
  std::string origin;  ///< "NVIDIA H200 no. 1, recorded 2026-11-21"
  std::string sizes;   ///< "m = n = k = 1024"
  SpeedTrend trend;

  void addTo(Shown& to) const override { to.plottedTunable = trend.tunable; }
};

/// Null where the device in use gives no times. In a lesson, a kernel of its `lab` has the speed of
/// the lab's launch. Where the chosen launch is not recorded, there is no speed in a lesson, and
/// elsewhere that of the nearest one.
[[nodiscard]] std::shared_ptr<const SpeedBoardView> speedBoardOf(const Moment& moment,
                                                                 const Lab* lab, bool inLesson);

}  // namespace tilestep::features
