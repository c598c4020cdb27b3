// SPDX-License-Identifier: Apache-2.0
#include "trace/named_counts.h"

namespace tilestep::trace {
namespace {

void addGlobal(std::vector<NamedCount>& counts, const std::string& name,
               const GlobalCounts& global) {
  counts.push_back({name + "_threads", global.threads});
  counts.push_back({name + "_requests", global.requests});
  counts.push_back({name + "_sectors", global.sectors});
  counts.push_back({name + "_bytes", global.bytes});
  counts.push_back({name + "_distinct_bytes", global.distinctBytes});
}

void addShared(std::vector<NamedCount>& counts, const std::string& name,
               const SharedCounts& shared) {
  counts.push_back({name + "_requests", shared.requests});
  counts.push_back({name + "_wavefronts", shared.wavefronts});
  counts.push_back({name + "_bank_conflicts", shared.bankConflicts});
}

}  // namespace

std::vector<NamedCount> namedCounts(const Counters& counters) {
  std::vector<NamedCount> counts;
  addGlobal(counts, "global_load", counters.globalLoad);
  addGlobal(counts, "global_store", counters.globalStore);
  addShared(counts, "shared_load", counters.sharedLoad);
  addShared(counts, "shared_store", counters.sharedStore);
  counts.push_back({"barriers", counters.barriers});
  counts.push_back({"ffma", counters.ffma});
  counts.push_back({"fadd", counters.fadd});
  counts.push_back({"fmul", counters.fmul});
  if (counters.warpInstructions) {
    counts.push_back({"warp_instructions", *counters.warpInstructions});
  }
  counts.push_back({"thread_instructions", counters.threadInstructions});
  if (counters.branches) counts.push_back({"branches", *counters.branches});
  if (counters.divergentBranches) {
    counts.push_back({"divergent_branches", *counters.divergentBranches});
  }
  return counts;
}

}  // namespace tilestep::trace
