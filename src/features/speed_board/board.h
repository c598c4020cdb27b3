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

/// The name of the figure that is the speed itself, in FLOP/s.
inline constexpr const char* kWork = "work";

/// The known ones of the chosen launch's time, FLOP/s, DRAM rate, and share of the nearest roof, as
/// amounts without a base; `hover` gives their origin. Empty if the present choice has no time.
[[nodiscard]] std::vector<Ratio> speedFiguresOf(const Snapshot& now);

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
  /// The compared kernel's known FLOP/s at the same values, in equal blocks unless the user chose
  /// its blocks.
  std::vector<Point> otherPoints;
  std::optional<Point> other;  ///< The compared kernel's point for the chosen launch.
  std::string otherName;       ///< "naive"; the compared launch if both are the same kernel.
};

/// The chosen launch and the compared one, in large type.
struct SpeedBoardView : View {
  static constexpr std::string_view kFeature = "speed_board";
  std::string kernel, other;      ///< "tiled", "naive in blocks of 16 × 16"; may be empty.
  std::string speed, otherSpeed;  ///< "1.60 TFLOP/s"; empty if unknown.
  std::string comparison;         ///< "3.2 times slower"; empty if there is no ratio.
  std::string missing;  ///< The reason why there is no ratio, in a sentence; otherwise empty.
  /// The compared kernel's timed blocks and its drawn blocks, if they differ; otherwise empty.
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

/// Null if the device in use has no times. A lesson shows the speeds of its `lab`'s launches, and
/// no speed for a launch that is not recorded. Outside of lessons, the nearest recorded launch
/// replaces it.
[[nodiscard]] std::shared_ptr<const SpeedBoardView> speedBoardOf(const Moment& moment,
                                                                 const Lab* lab, bool inLesson);

}  // namespace tilestep::features
