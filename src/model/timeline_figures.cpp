// SPDX-License-Identifier: Apache-2.0
#include "model/timeline_figures.h"

#include <cstdint>

#include "base/figure.h"
#include "metrics/timeline.h"
#include "model/text/step_summary.h"

namespace tilestep::model {

std::string keptBlocks(const trace::Timeline& timeline) {
  if (timeline.blocks() == 1 && timeline.rows() == 1) return "its one block";
  const std::string all =
      grouped(timeline.blocks()) + (timeline.blocks() == 1 ? " block" : " blocks");
  if (timeline.rows() == timeline.blocks()) return "all " + all;
  if (timeline.rows() == 1) return "block 0 of " + all;
  return "every " + ordinal(timeline.epochStep) + " block, " + grouped(timeline.rows()) + " of " +
         all;
}

std::optional<LiveSplit> splitOf(const trace::Timeline& timeline) {
  LiveSplit split;
  split.overhead = timeline.price;
  const std::optional<metrics::PhaseTime> time = metrics::phaseTime(timeline);
  if (time && time->busy.size() == 2) {
    const auto share = [all = static_cast<double>(time->all())](uint64_t cycles) {
      return static_cast<double>(cycles) / all;
    };
    split.phases = true;
    split.load = share(time->busy[0]);
    split.compute = share(time->busy[1]);
    split.outside = share(time->outside);
    split.wait = share(time->wait);
    if (timeline.rows() < timeline.blocks()) split.blocks = keptBlocks(timeline);
    return split;
  }
  double busy = 0, wait = 0;
  for (const uint64_t cycles : timeline.busyWarpCycles) busy += static_cast<double>(cycles);
  for (const uint64_t cycles : timeline.waitWarpCycles) wait += static_cast<double>(cycles);
  if (!(busy + wait > 0)) return std::nullopt;
  split.load = busy / (busy + wait);
  split.wait = wait / (busy + wait);
  return split;
}

}  // namespace tilestep::model
