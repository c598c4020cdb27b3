// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "features/timeline/timeline_view.h"

namespace tilestep::features {

/// A launch of `blocks` blocks of 100 ns, assigned in order to SMs with `places` block slots each.
/// Block b starts `apart` * (b % 5) ns late. Epochs work for three quarters of their duration.
inline std::shared_ptr<const TimelineView> sampleTimeline(uint32_t sms, uint32_t places,
                                                          uint32_t blocks, uint32_t epochs,
                                                          uint32_t apart = 0) {
  lab::RunResult result;
  result.kernel = "matmul_tiled";
  result.device.name = "Test GPU";
  result.plan.sizes = {{"m", 64}, {"n", 64}, {"k", 64}};
  result.plan.launches.push_back({});
  result.plan.launches.front().grid = {blocks, 1, 1};
  result.plan.launches.front().block = {32, 1, 1};
  trace::Timeline t;
  t.tickNs = 1;
  t.multiprocessors = sms;
  t.maxWarps = places;
  t.warpsPerBlock = 1;
  t.clockMhz = 1000;
  t.price = 1.04;
  t.epochs = epochs;
  t.phases = epochs / 2;
  t.epochsPerPhase = epochs > 1 ? 2 : 0;
  t.epochStep = epochs > 1 ? 1 : 0;
  t.activeCycles.assign(sms, 0);
  for (uint32_t b = 0; b < blocks; ++b) {
    const uint64_t start = uint64_t{b / (sms * places)} * 100 + uint64_t{apart} * (b % 5);
    t.sm.push_back(b % sms);
    t.startNs.push_back(start);
    t.endNs.push_back(start + 100);
    t.busyWarpCycles.push_back(75);
    t.waitWarpCycles.push_back(25);
    t.activeCycles[b % sms] = start + 100;
    if (t.epochStep == 0) continue;
    t.epochBusy.insert(t.epochBusy.end(), epochs, 3);
    t.epochWait.insert(t.epochWait.end(), epochs, 1);
  }
  result.timeline = std::move(t);
  return timelineViewOf(result);
}

}  // namespace tilestep::features
