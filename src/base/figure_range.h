// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep {

/// The values of a figure that is read from elsewhere. Each range is far wider than that of any
/// machine, so that quotients and logarithms of figures stay finite.
struct FigureRange {
  double least, most;
  /// False for a number that is not finite, too.
  [[nodiscard]] bool holds(double value) const { return value >= least && value <= most; }
};
inline constexpr FigureRange kMilliseconds{1e-9, 1e9};
inline constexpr FigureRange kSeconds{1e-12, 1e9};
inline constexpr FigureRange kPerSecond{1, 1e18};  ///< Bytes or operations a second.
inline constexpr FigureRange kMegahertz{1, 1e6};
inline constexpr FigureRange kWatts{1e-3, 1e6};
inline constexpr FigureRange kRatio{1e-9, 1e9};  ///< One time divided by another.

}  // namespace tilestep
