// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "base/figure.h"

namespace tilestep::device {

/// One of Tilestep's values. It is read from the first of its metrics that the chip has.
struct MetricChoice {
  const char* name;
  Unit unit;
  double scale;  ///< Value = the metric's value × scale.
  std::vector<const char*> metrics;
};
/// All values, in display order. Metric names differ between chips: Blackwell's consumer chips
/// count DRAM bytes as dram__bytes_op_read.
[[nodiscard]] const std::vector<MetricChoice>& metricChoices();

}  // namespace tilestep::device
