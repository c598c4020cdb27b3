// SPDX-License-Identifier: Apache-2.0
#include "metrics/launch_time.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "metrics/closed_queue.h"

namespace tilestep::metrics {
namespace {

bool isBeyondL1(Resource resource) {
  return resource == Resource::l2 || resource == Resource::dram;
}

/// A block's demand in seconds for each resource, or for each group of resources that it uses at
/// once. `most` is the number of blocks of the busiest multiprocessor.
std::vector<double> demandsOf(const Limits& limits, double most, BlockUse use) {
  std::vector<double> demands;
  double own = 0, beyond = 0;
  for (const ResourceTime& time : limits.times) {
    const double demand = time.seconds / most;
    if (use == BlockUse::inTurn) demands.push_back(demand);
    double& group = isBeyondL1(time.resource) ? beyond : own;
    group = std::max(group, demand);
  }
  if (use == BlockUse::overlapped) demands = {own, beyond};
  return demands;
}

}  // namespace

LaunchTime launchTimeOf(const Limits& limits, const BlockWaits& waits, const Latencies& latencies,
                        const BlocksInTurn& turns, BlockUse use) {
  // The busiest multiprocessor executes `most` blocks, at most `present` at a time.
  const uint64_t most = (turns.blocks + turns.multiprocessors - 1) / turns.multiprocessors;
  const auto present = static_cast<uint32_t>(std::min<uint64_t>(most, turns.resident));
  const double alone = waits.beyondL1 * (turns.isInL2 ? latencies.l2 : latencies.dram) +
                       waits.l1 * latencies.l1 + waits.shared * latencies.shared +
                       waits.barriers * latencies.barrier +
                       turns.instructionsPerWarp * latencies.instruction;

  LaunchTime time;
  time.limit = "starting blocks";
  const double start = latencies.blockStart * turns.multiprocessors;
  double longest = start;
  for (const ResourceTime& resource : limits.times) {
    const double demand = resource.seconds / static_cast<double>(most);
    if (demand <= longest) continue;
    longest = demand;
    time.limit = toText(resource.resource);
  }
  std::vector<double> demands = demandsOf(limits, static_cast<double>(most), use);
  demands.insert(demands.begin(), start);
  const double all = std::accumulate(demands.begin(), demands.end(), alone);
  if (all / present > longest) time.limit = "waiting";
  const double blocks = timeBetweenEnds(present, alone, demands) * static_cast<double>(most);
  if (latencies.kernelStart > blocks) time.limit = "starting the kernel";
  time.seconds = latencies.kernelStart + blocks;
  return time;
}

}  // namespace tilestep::metrics
