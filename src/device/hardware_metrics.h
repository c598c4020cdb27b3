// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/figure.h"

namespace tilestep::device {

/// One of our figures: the first of its metrics that a chip has is taken.
struct MetricChoice {
  const char* name;
  Unit unit;
  double scale;  ///< Ours = the metric's value × scale.
  std::vector<const char*> metrics;
};
/// All figures, in the order in which they are shown. Names differ between chips: Blackwell's
/// consumer chips count DRAM bytes as dram__bytes_op_read.
[[nodiscard]] const std::vector<MetricChoice>& metricChoices();

}  // namespace tilestep::device
