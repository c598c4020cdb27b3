// SPDX-License-Identifier: Apache-2.0
#include "model/timeline_figures.h"

#include <cstdint>
#include <vector>

#include "metrics/timeline.h"

namespace tilestep::model {

std::optional<LiveSplit> splitOf(const trace::Timeline& timeline) {
  LiveSplit split;
  split.price = timeline.price;
  const std::vector<metrics::EpochCycles> phases = metrics::phaseEpochCycles(timeline);
  double busy = 0, wait = 0;
  if (phases.size() == 2) {
    split.phases = true;
    split.load = phases[0].busy;
    split.compute = phases[1].busy;
    wait = phases[0].wait + phases[1].wait;
    busy = split.load + split.compute;
  } else {
    for (const uint64_t cycles : timeline.busyWarpCycles) busy += static_cast<double>(cycles);
    for (const uint64_t cycles : timeline.waitWarpCycles) wait += static_cast<double>(cycles);
    split.load = busy;
  }
  const double all = busy + wait;
  if (!(all > 0)) return std::nullopt;
  split.load /= all;
  split.compute /= all;
  split.wait = wait / all;
  return split;
}

}  // namespace tilestep::model
