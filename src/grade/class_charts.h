// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "grade/grade.h"

/// Pictures of a class for a page, as SVG that takes its colours from the page's style.
namespace tilestep::grade {

/// How many hand-ins have which verdict.
using VerdictCounts = std::array<size_t, kVerdicts>;
[[nodiscard]] VerdictCounts verdictCounts(const std::vector<Grade>& grades);

/// A bar with a part for each verdict that somebody has; empty without grades.
[[nodiscard]] std::string verdictBar(const VerdictCounts& counts);

/// How many hand-ins have how many marks.
struct MarksHistogram {
  double step = 1;  ///< Bar i counts marks from i * step to below (i + 1) * step, and below `of`.
  double of = 0;    ///< The last bar counts marks of so many and more.
  bool isExact = false;  ///< All marks are whole numbers, and each bar counts those with one.
  std::vector<size_t> bars;
};
/// At most 13 bars. `of`: above 0.
[[nodiscard]] MarksHistogram histogramOf(const std::vector<double>& marks, double of);
[[nodiscard]] std::string toSvg(const MarksHistogram& histogram);

/// The style of both.
extern const char* const kChartStyle;

}  // namespace tilestep::grade
