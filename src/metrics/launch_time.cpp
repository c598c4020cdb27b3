// SPDX-License-Identifier: Apache-2.0
#include "metrics/launch_time.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "metrics/closed_queue.h"

namespace tilestep::metrics {

LaunchTime launchTimeOf(const Limits& limits, const BlockWaits& waits, const Latencies& latencies,
                        const BlocksInTurn& turns) {
  // The multiprocessor that has most executes so many blocks, at most `present` at a time.
  const uint64_t most = (turns.blocks + turns.multiprocessors - 1) / turns.multiprocessors;
  const auto present = static_cast<uint32_t>(std::min<uint64_t>(most, turns.resident));
  const double alone = waits.beyondL1 * (turns.isInL2 ? latencies.l2 : latencies.dram) +
                       waits.l1 * latencies.l1 + waits.shared * latencies.shared +
                       waits.barriers * latencies.barrier +
                       turns.instructionsPerWarp * latencies.instruction;

  LaunchTime time;
  time.limit = "starting blocks";
  std::vector<double> demands{latencies.blockStart * turns.multiprocessors};
  double longest = demands.front();
  for (const ResourceTime& resource : limits.times) {
    demands.push_back(resource.seconds / static_cast<double>(most));
    if (demands.back() <= longest) continue;
    longest = demands.back();
    time.limit = toText(resource.resource);
  }
  const double all = std::accumulate(demands.begin(), demands.end(), alone);
  if (all / present > longest) time.limit = "waiting";
  const double blocks = timeBetweenEnds(present, alone, demands) * static_cast<double>(most);
  if (latencies.kernelStart > blocks) time.limit = "starting the kernel";
  time.seconds = latencies.kernelStart + blocks;
  return time;
}

}  // namespace tilestep::metrics
