// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep {

/// The values accepted for a figure from a file or a worker. Each range is far wider than the
/// values of any real machine, and narrow enough to keep quotients and logarithms finite.
struct FigureRange {
  double least, most;
  /// False also for infinities and NaN.
  [[nodiscard]] bool holds(double value) const { return value >= least && value <= most; }
};
inline constexpr FigureRange kMilliseconds{1e-9, 1e9};
inline constexpr FigureRange kSeconds{1e-12, 1e9};
inline constexpr FigureRange kPerSecond{1, 1e18};  ///< Bytes or operations a second.
inline constexpr FigureRange kMegahertz{1, 1e6};
inline constexpr FigureRange kWatts{1e-3, 1e6};
inline constexpr FigureRange kRatio{1e-9, 1e9};  ///< One time divided by another.

}  // namespace tilestep
