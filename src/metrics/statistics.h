// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

/// Figures of a sample of timings. Pure; the sample may be in any order.
namespace tilestep::metrics {

/// The value below which the share `p` (0 to 1) of the sample lies, interpolated linearly between
/// the two nearest ranks (Hyndman and Fan's type 7, 1996). NaN for an empty sample.
[[nodiscard]] double percentile(std::span<const double> sample, double p);
[[nodiscard]] double median(std::span<const double> sample);

struct Summary {
  double median = 0, minimum = 0, p10 = 0, p90 = 0;
  size_t count = 0;
  /// (p90 - p10) / median: how far apart most repetitions lie; 0 where the median is 0.
  [[nodiscard]] double spread() const;
};
/// All zero for an empty sample.
[[nodiscard]] Summary summarize(std::span<const double> sample);

}  // namespace tilestep::metrics
