// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "trace/timeline.h"

/// Timelines made by hand. SMs run at 1 GHz, so a cycle is a nanosecond.
namespace tilestep::metrics {

inline trace::Timeline emptyTimeline(uint32_t multiprocessors, uint32_t warpsPerBlock) {
  trace::Timeline t;
  t.tickNs = 1;
  t.multiprocessors = multiprocessors;
  t.maxWarps = 8;
  t.warpsPerBlock = warpsPerBlock;
  t.clockMhz = 1000;
  t.activeCycles.assign(multiprocessors, 0);
  t.epochs = 1;
  return t;
}

/// Adds a block whose warps all run from `start` to `end`, and wait for `wait` of that time.
inline void addBlock(trace::Timeline& t, uint32_t sm, uint64_t start, uint64_t end,
                     uint64_t wait = 0) {
  t.sm.push_back(sm);
  t.startNs.push_back(start);
  t.endNs.push_back(end);
  t.busyWarpCycles.push_back((end - start - wait) * t.warpsPerBlock);
  t.waitWarpCycles.push_back(wait * t.warpsPerBlock);
  t.activeCycles[sm] = std::max(t.activeCycles[sm], end);
}

}  // namespace tilestep::metrics
