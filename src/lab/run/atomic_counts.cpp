// SPDX-License-Identifier: Apache-2.0
#include "lab/run/atomic_counts.h"

#include <algorithm>
#include <set>

#include "ptx/analysis/register_graph.h"
#include "ptx/analysis/uses.h"

namespace tilestep::lab {
namespace {

using Names = std::set<std::string>;

/// Names the counts of a "load" or "store". A generic address may refer to either memory.
void addAccess(Names& names, ptx::Space space, const std::string& kind) {
  if (space != ptx::Space::shared) {
    for (const char* count : {"_threads", "_requests", "_sectors", "_bytes", "_distinct_bytes"})
      names.insert("global_" + kind + count);
  }
  if (space != ptx::Space::global) {
    for (const char* count : {"_requests", "_wavefronts", "_bank_conflicts"})
      names.insert("shared_" + kind + count);
  }
}

void addAtomics(Names& names, const ptx::Function& function) {
  const ptx::RegisterGraph graph(function);
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    const ptx::Instruction& instruction = function.body[i];
    if (ptx::effectOf(instruction) != ptx::Effect::atomic) continue;
    addAccess(names, instruction.space, "store");
    const bool isRead = std::ranges::any_of(
        graph.written[i], [&](uint32_t reg) { return !graph.readers[reg].empty(); });
    if (isRead) addAccess(names, instruction.space, "load");
  }
}

}  // namespace

std::vector<std::string> countsWithoutAtomics(const ptx::Module& module,
                                              const std::vector<Launch>& launches) {
  Names names;
  for (const ptx::Function& function : module.functions) {
    const bool runs = !function.isEntry ||
                      std::ranges::count(launches, function.name,
                                         [](const Launch& launch) { return launch.entry; }) > 0;
    if (runs && !function.isExtern) addAtomics(names, function);
  }
  return {names.begin(), names.end()};
}

}  // namespace tilestep::lab
