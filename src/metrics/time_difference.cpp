// SPDX-License-Identifier: Apache-2.0
#include "metrics/time_difference.h"

#include <cmath>

namespace tilestep::metrics {

TimeVerdict compareTimes(const TimeSpread& run, const TimeSpread& base) {
  if (base.median <= 0 || std::fabs(run.median / base.median - 1) <= kRepeatableShare)
    return TimeVerdict::notTold;
  if (run.p90 < base.p10) return TimeVerdict::faster;
  if (run.p10 > base.p90) return TimeVerdict::slower;
  return TimeVerdict::notTold;
}

}  // namespace tilestep::metrics
