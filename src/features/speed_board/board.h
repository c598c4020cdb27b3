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
  std::string from;   ///< The method of measurement and the machine, in a sentence.
  double number = 0;  ///< The value: FLOP/s, bytes/s, seconds, or a share from 0 to 1.
  bool isShare = false;
};

/// The name of the figure that is the speed itself, FLOP/s.
inline constexpr const char* kWork = "work";

/// The known ones of: the chosen launch's time, FLOP/s, DRAM's bytes/s, and its fraction of the
/// nearest roof. Empty if nothing was measured for the present choice, because counts and bounds
/// are not speeds.
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
  /// The compared kernel's known FLOP/s at the same values, in equal blocks unless its blocks were
  /// chosen.
  std::vector<Point> otherPoints;
  std::optional<Point> other;  ///< Its point for the chosen launch.
  /// That kernel's name, "naive"; or its launch if both are the same kernel.
  std::string otherName;
};

/// The chosen launch and the compared one, in large type.
struct SpeedBoardView : View {
  static constexpr std::string_view kFeature = "speed_board";
  std::string kernel, other;      ///< "tiled", "naive in blocks of 16 × 16"; may be empty.
  std::string speed, otherSpeed;  ///< "1.60 TFLOP/s"; empty: not known.
  std::string comparison;         ///< "3.2 times slower"; empty: there is no ratio.
  std::string missing;  ///< The reason why there is no ratio, in a sentence; otherwise empty.
  /// The blocks of the other kernel that were timed and those that the scene draws, if they differ.
  std::string drawn;
  std::string instead;  ///< The reason why another launch is shown, and which.
  /// "timed at n = 16,777,216, BLOCK 256": the open lab's launch of this kernel, which is shown
  /// because the chosen one is not recorded.
  std::string timedAt;
  std::string origin;  ///< "NVIDIA H200 no. 1, recorded 2026-11-21"
  std::string sizes;   ///< "m = n = k = 1024"
  SpeedTrend trend;

  void addTo(Shown& to) const override { to.plottedTunable = trend.tunable; }
};

/// Null if the device in use has no times. In a lesson, a kernel of its `lab` has the speed of the
/// lab's launch. If the chosen launch is not recorded, there is no speed in a lesson; otherwise
/// that of the nearest recorded launch.
[[nodiscard]] std::shared_ptr<const SpeedBoardView> speedBoardOf(const Moment& moment,
                                                                 const Lab* lab, bool inLesson);

}  // namespace tilestep::features
