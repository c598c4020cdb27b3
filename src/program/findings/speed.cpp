// SPDX-License-Identifier: Apache-2.0
// Causes of slow kernels, found in the requests of their source lines.
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "program/findings/findings.h"
#include "program/findings/words.h"

namespace tilestep::program {
namespace {

/// Kernel, line, whether the line stores, bytes per element, address of the memory.
using CostKey = std::tuple<std::string, uint32_t, bool, uint32_t, uint64_t>;

struct Cost {
  Place place;
  simt::RequestUse use;
};

/// The costs, summed over all launches.
std::map<CostKey, Cost> costsOf(const ProgramRun& run) {
  std::map<CostKey, Cost> costs;
  for (const LaunchRecord& launch : run.launches) {
    for (const LineCost& each : launch.costs) {
      Cost& cost = costs[{launch.kernel, each.line, each.isStore, each.elementBytes, each.memory}];
      cost.place = {launch.place.file, each.line};
      cost.use.isShared = each.use.isShared;
      cost.use.requests += each.use.requests;
      cost.use.units += each.use.units;
      cost.use.fewest += each.use.fewest;
    }
  }
  return costs;
}

/// A number of units per request: "4" or "12.5".
std::string perRequest(uint64_t units, uint64_t requests) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g",
                static_cast<double>(units) / static_cast<double>(requests));
  return text;
}

bool isUncoalesced(const simt::RequestUse& use) {
  constexpr uint64_t kManySectors = 16, kTimesTheFewest = 4;
  return !use.isShared && use.units >= kManySectors * use.requests &&
         use.units >= kTimesTheFewest * use.fewest;
}

bool hasConflicts(const simt::RequestUse& use) {
  constexpr uint64_t kManyWavefronts = 4, kTimesTheFewest = 4;
  return use.isShared && use.units >= kManyWavefronts * use.requests &&
         use.units >= kTimesTheFewest * use.fewest;
}

}  // namespace

std::vector<Finding> slowRequests(const ProgramRun& run) {
  std::vector<Finding> findings;
  constexpr uint64_t kFewRequests = 8;
  for (const auto& [key, cost] : costsOf(run)) {
    const auto& [kernel, line, isStore, bytes, address] = key;
    if (cost.use.requests < kFewRequests) continue;
    const std::string figures = perRequest(cost.use.units, cost.use.requests);
    const std::string fewest = perRequest(cost.use.fewest, cost.use.requests);
    const std::string what = "In " + kernel + ", " + (isStore ? "stores" : "loads") + " of " +
                             std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
    if (isUncoalesced(cost.use)) {
      const MemoryRecord* const memory = address == 0 ? nullptr : memoryAt(run, address);
      findings.push_back(
          {"coalescing", Severity::remark, cost.place,
           what +
               (memory == nullptr ? std::string() : (isStore ? " to " : " from ") + memory->name) +
               " need " + figures + " sectors of 32 bytes per request, but " + fewest +
               " would suffice; let neighbouring threads use neighbouring elements"});
    } else if (hasConflicts(cost.use)) {
      findings.push_back(
          {"bank-conflicts", Severity::remark, cost.place,
           what + (isStore ? " to" : " from") + " shared memory need " + figures +
               " wavefronts per request, but " + fewest +
               " would suffice: threads of a warp use the same bank. Pad the rows of "
               "the array by one element"});
    }
  }
  return findings;
}

std::vector<Finding> sharedWithoutUse(const ProgramRun& run) {
  struct OfKernel {
    simt::SharedUse use;
    Place place;
  };
  std::map<std::string, OfKernel> kernels;
  for (const LaunchRecord& launch : run.launches) {
    OfKernel& kernel = kernels[launch.kernel];
    kernel.use.reads += launch.sharedUse.reads;
    kernel.use.writes += launch.sharedUse.writes;
    kernel.use.passes = kernel.use.passes || launch.sharedUse.passes || launch.result != 0;
    for (const LineCost& cost : launch.costs)
      if (cost.use.isShared && cost.isStore && kernel.place.line == 0)
        kernel.place = {launch.place.file, cost.line};
  }
  std::vector<Finding> findings;
  for (const auto& [name, kernel] : kernels) {
    const simt::SharedUse& use = kernel.use;
    if (use.passes || use.reads == 0 || use.writes == 0 || use.reads > use.writes) continue;
    findings.push_back(
        {"no-reuse", Severity::remark, kernel.place,
         "In " + name +
             ", each thread reads from shared memory, once, only what it "
             "wrote there itself (" +
             std::to_string(use.writes) + " writes, " + std::to_string(use.reads) +
             " reads); use a register, which needs no shared memory and no barriers"});
  }
  return findings;
}

std::vector<Finding> smallBlocks(const ProgramRun& run) {
  std::vector<Finding> findings;
  constexpr uint64_t kLanes = 32, kMostThreads = 1024;
  std::set<std::pair<std::string, uint32_t>> told;
  for (const LaunchRecord& launch : run.launches) {
    const uint64_t blocks = launch.launch.grid.count(), threads = launch.launch.block.count();
    const bool fitsExchanged = blocks >= kLanes && blocks <= kMostThreads;
    if (!launch.ran || threads >= kLanes || !fitsExchanged) continue;
    if (!told.insert({launch.kernel, launch.place.line}).second) continue;
    findings.push_back({"small-block", Severity::remark, launch.place,
                        "The launch of " + launch.kernel + " has " + std::to_string(blocks) +
                            " blocks of " + std::to_string(threads) +
                            (threads == 1 ? " thread" : " threads") + ", so " +
                            std::to_string(kLanes - threads) +
                            " of the 32 lanes of a warp do nothing; if grid and block are "
                            "swapped, write <<<grid, block>>>; otherwise use larger blocks"});
  }
  return findings;
}

}  // namespace tilestep::program
