// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "grade/grade.h"

/// Charts of a class as SVG, in the colours of kChartStyle.
namespace tilestep::grade {

/// The number of hand-ins with each verdict.
using VerdictCounts = std::array<size_t, kVerdicts>;
[[nodiscard]] VerdictCounts verdictCounts(const std::vector<Grade>& grades);

/// A bar with a part for each verdict that occurs; empty without grades.
[[nodiscard]] std::string verdictBar(const VerdictCounts& counts);

/// The distribution of marks.
struct MarksHistogram {
  double step = 1;  ///< Bar i counts marks from i * step to below (i + 1) * step and below `of`.
  double of = 0;    ///< The full marks; the last bar counts these and more.
  bool isExact = false;  ///< All marks are whole numbers, and each bar counts one of them.
  std::vector<size_t> bars;
};
/// Has at most 13 bars. `of` must be above 0.
[[nodiscard]] MarksHistogram histogramOf(const std::vector<double>& marks, double of);
[[nodiscard]] std::string toSvg(const MarksHistogram& histogram);

/// The style of both charts.
extern const char* const kChartStyle;

}  // namespace tilestep::grade
