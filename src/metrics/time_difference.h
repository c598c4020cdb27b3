// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Whether two measured times differ, judged by their spread. Pure.
namespace tilestep::metrics {

/// The spread of one measurement's samples, in any unit of time.
struct TimeSpread {
  double median = 0, p10 = 0, p90 = 0;
};

enum class TimeVerdict : uint8_t {
  notTold,  ///< The difference is not larger than the spread or the variation between repetitions.
  faster,
  slower,
};

/// Two measurements of one kernel in separate processes differed by up to 0.8 %
/// (docs/measurements/gpu-measuring.md), which the spread within a measurement does not show.
inline constexpr double kRepeatableShare = 0.01;

/// Compares `run` with `base`. They differ if their intervals from the 10th to the 90th percentile
/// do not overlap and their medians differ by more than kRepeatableShare. The medians of two
/// equally wide normal distributions are then at least 2.56 standard deviations apart. If one
/// sample is drawn from each distribution, the faster run's sample is therefore shorter in at least
/// 96 of 100 pairs (the common language effect size of McGraw and Wong, Psychological Bulletin
/// 111(2), 1992).
[[nodiscard]] TimeVerdict compareTimes(const TimeSpread& run, const TimeSpread& base);

}  // namespace tilestep::metrics
