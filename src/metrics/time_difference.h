// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Whether two measured times differ, judged by their spread. Pure.
namespace tilestep::metrics {

/// Of the samples of one measurement, in any unit of time.
struct TimeSpread {
  double median = 0, p10 = 0, p90 = 0;
};

enum class TimeVerdict : uint8_t {
  notTold,  ///< The spread, or what a repetition would change, is as large as the difference.
  faster,
  slower,
};

/// Two measurements of one kernel in processes of their own lay up to 0.8 % apart
/// (docs/measurements/gpu-measuring.md), which no spread within a measurement shows.
inline constexpr double kRepeatableShare = 0.01;

/// `run` against `base`. They differ where their intervals from the 10th to the 90th percentile do
/// not meet and the medians lie further apart than kRepeatableShare. Of two normal distributions
/// that are equally wide, such medians are at least 2.56 standard deviations apart, so that of two
/// samples, one of each, the faster run's is the shorter in at least 96 of 100 pairs: the common
/// language effect size of McGraw and Wong, Psychological Bulletin 111(2), 1992.
[[nodiscard]] TimeVerdict compareTimes(const TimeSpread& run, const TimeSpread& base);

}  // namespace tilestep::metrics
