// SPDX-License-Identifier: Apache-2.0
#include "metrics/closed_queue.h"

#include <limits>
#include <vector>

namespace tilestep::metrics {

double timeBetweenEnds(uint32_t customers, double alone, std::span<const double> demands) {
  std::vector<double> queue(demands.size(), 0);
  double between = std::numeric_limits<double>::infinity();
  for (uint32_t present = 1; present <= customers; ++present) {
    double round = alone;
    for (size_t i = 0; i < demands.size(); ++i) {
      queue[i] = demands[i] * (1 + queue[i]);  // A customer's time at this station.
      round += queue[i];
    }
    between = round / present;
    for (double& length : queue) length /= between;  // Little's law.
  }
  return between;
}

}  // namespace tilestep::metrics
