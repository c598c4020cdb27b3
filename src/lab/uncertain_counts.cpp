// SPDX-License-Identifier: Apache-2.0
#include "lab/uncertain_counts.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ptx/analysis/copies.h"
#include "ptx/analysis/counted.h"
#include "ptx/lanes/uncertain.h"

namespace tilestep::lab {
namespace {

using Why = UncertainCounts::Why;
using Names = std::set<std::string>;

/// A loop that waits may iterate any number of times, so the lanes' own accesses change, too.
void addGlobal(Names& names, const std::string& kind, Why why) {
  for (const char* count : {"_requests", "_sectors", "_distinct_bytes"}) names.insert(kind + count);
  if (why != Why::waits) return;
  for (const char* count : {"_threads", "_bytes"}) names.insert(kind + count);
}

void addShared(Names& names, const std::string& kind) {
  for (const char* count : {"_requests", "_wavefronts", "_bank_conflicts"})
    names.insert(kind + count);
}

void addAccess(Names& names, const ptx::Access& access, Why why) {
  const std::string kind = access.isStore ? "store" : "load";
  if (access.space != ptx::Space::shared) addGlobal(names, "global_" + kind, why);
  if (access.space != ptx::Space::global) addShared(names, "shared_" + kind);
}

Why whyOf(ptx::UncertainAccess::Because because) {
  using Because = ptx::UncertainAccess::Because;
  switch (because) {
    case Because::unrolled:
      return Why::unrolled;
    case Because::waits:
      return Why::waits;
    case Because::waited:
      return Why::waited;
    case Because::meets:
      return Why::meets;
    case Because::places:
      return Why::places;
  }
  return Why::unrolled;
}

/// The launched entries, and all functions with a body that are not entries.
std::vector<const ptx::Function*> functionsOf(const ptx::Module& module,
                                              const std::vector<Launch>& launches) {
  std::set<std::string> entries;
  for (const Launch& launch : launches) entries.insert(launch.entry);
  std::vector<const ptx::Function*> functions;
  for (const ptx::Function& function : module.functions) {
    if (!function.isExtern && (!function.isEntry || entries.contains(function.name)))
      functions.push_back(&function);
  }
  return functions;
}

/// Adds the counts that an instruction affects. A call may reach any function that is not an entry.
void addCounted(Names& names, const ptx::Module& module, const ptx::Instruction& instruction,
                Why why) {
  if (const auto access = ptx::accessOf(instruction)) addAccess(names, *access, why);
  if (ptx::isCopy(instruction)) {
    addAccess(names, {ptx::Space::global, false}, why);
    addAccess(names, {ptx::Space::shared, true}, why);
  }
  if (instruction.opcode != ptx::Opcode::call) return;
  for (const ptx::Function& function : module.functions) {
    if (function.isEntry || function.isExtern) continue;
    for (const ptx::Instruction& called : function.body) {
      if (called.opcode != ptx::Opcode::call) addCounted(names, module, called, why);
    }
  }
}

/// Whether the reason may apply to a launch that reached these branches.
bool holds(const ptx::Function& function, const ptx::UncertainAccess& uncertain,
           const trace::BranchLines* branches) {
  if (branches == nullptr || uncertain.branch == ptx::kNone) return true;
  const auto& lines = uncertain.ifParted ? branches->parted : branches->reached;
  return lines.contains(function.body[uncertain.branch].ptxLine);
}

}  // namespace

std::vector<UncertainCounts> uncertainCountsOf(const ptx::Module& module,
                                               const std::vector<Launch>& launches,
                                               const trace::BranchLines* branches) {
  std::map<std::pair<Why, uint32_t>, Names> found;
  for (const ptx::Function* function : functionsOf(module, launches)) {
    const auto lineOf = [&](uint32_t i) { return function->body[i].outerLine.line; };
    for (const ptx::UncertainAccess& uncertain : ptx::uncertainAccesses(*function)) {
      if (!holds(*function, uncertain, branches)) continue;
      const Why why = whyOf(uncertain.because);
      Names names;
      addCounted(names, module, function->body[uncertain.instruction], why);
      if (!names.empty()) found[{why, lineOf(uncertain.at)}].merge(names);
    }
    if (const auto print = ptx::firstPrintOf(*function)) {
      Names& names = found[{Why::prints, lineOf(*print)}];
      for (const char* kind : {"global_load", "global_store"}) addGlobal(names, kind, Why::waits);
    }
  }
  std::vector<UncertainCounts> counts;
  for (const auto& [key, names] : found)
    counts.push_back({key.first, key.second, {names.begin(), names.end()}});
  return counts;
}

std::vector<std::string> uncertainNames(const std::vector<UncertainCounts>& uncertain) {
  Names names;
  for (const UncertainCounts& counts : uncertain)
    names.insert(counts.counters.begin(), counts.counters.end());
  return {names.begin(), names.end()};
}

/// The ratios are those of docs/measurements/parted-lanes.md.
std::string whyText(const UncertainCounts& counts) {
  const std::string where = counts.line > 0 ? " at line " + std::to_string(counts.line) : "";
  switch (counts.why) {
    case Why::unrolled:
      return "The loop" + where +
             " ends in different iterations for different lanes of a warp. If the assembler "
             "unrolls it, lanes with many iterations left run a different copy than lanes with "
             "few, so the hardware's count differs: it was 0.98 to 1.39 times as high.";
    case Why::waits:
      return "The loop" + where +
             " waits for other threads or tries again, so the count depends on the schedule: on "
             "the hardware, it was 0.91 to 0.96 times as high.";
    case Why::waited:
      return "Lanes leave the loop" + where +
             " one by one, and may stay diverged up to the next barrier: on the hardware, the "
             "count was 1.9 to 3.8 times as high.";
    case Why::places:
      return "An atomic operation" + where +
             " determines where this thread loads or stores, so the schedule decides which lanes "
             "access neighbouring elements.";
    case Why::meets:
      return "Lanes of a warp reach the code" + where +
             " on several paths, and need not reconverge there. The hardware may run the code once "
             "for each path, with more requests: its count was 1.00 to 1.19 times as high.";
    case Why::prints:
      return "The printf" + where +
             " also loads and stores, in code that exists only as machine code: on the hardware, "
             "the count was 1.6 to 14 times as high.";
  }
  return {};
}

}  // namespace tilestep::lab
