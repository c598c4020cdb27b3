// SPDX-License-Identifier: Apache-2.0
#include "simt/check/sites.h"

#include <algorithm>
#include <bit>
#include <set>

#include "ptx/analysis/uses.h"
#include "simt/check/first_looks.h"
#include "simt/check/flag_loads.h"

namespace tilestep::simt {
namespace {

/// The most instructions that the searches for waiting loops examine in a program.
constexpr size_t kMostSteps = size_t{1} << 24;
/// The number of sites that a mark can distinguish.
constexpr uint32_t kMaxSites = 1u << (kSharedTimeShift - kSiteShift);

bool hasOrder(const ptx::Instruction& i) {
  return i.has("relaxed") || i.has("acquire") || i.has("release") || i.has("mmio");
}

/// The only shared variable from which an address is computed; null if there is not exactly one.
const SharedVariable* variableOf(const Program& program, const Bases& bases) {
  const SharedVariable* found = nullptr;
  for (const SharedVariable& variable : program.shared) {
    if (std::find(bases.names.begin(), bases.names.end(), variable.name) == bases.names.end()) {
      continue;
    }
    if (found != nullptr) return nullptr;
    found = &variable;
  }
  return bases.unknown ? nullptr : found;
}

/// Marks atomic operations whose old value is used. An exchange reads only then.
void markWhatIsRead(Program& program) {
  for (const CallGraph::Node& node : program.functions) {
    const std::vector<ptx::Instruction>& body = node.function->body;
    std::vector<bool> isRead(node.function->registers.size(), false);
    for (const ptx::Instruction& i : body) {
      for (const uint32_t reg : ptx::readRegisters(i)) isRead[reg] = true;
    }
    for (CheckSite& site : program.sites) {
      const uint32_t at = site.source - node.first;
      if (site.source < node.first || at >= body.size() || !site.atomic) continue;
      const std::vector<uint32_t> to = ptx::writtenRegisters(body[at]);
      site.answers = std::ranges::any_of(to, [&](uint32_t reg) { return isRead[reg]; });
      site.reads = site.reads || site.answers;
    }
  }
}

void markLoads(Program& program) {
  size_t steps = kMostSteps;
  for (const CallGraph::Node& node : program.functions) {
    const std::vector<bool> looks = firstLooks(*node.function);
    const std::vector<FlagUse> uses = flagUses(*node.function, steps);
    for (CheckSite& site : program.sites) {
      const uint32_t at = site.source - node.first;
      if (site.source < node.first || at >= looks.size() || !site.reads) continue;
      site.atomicLoad = site.atomic && isAtomicLoad(node.function->body[at]);
      if (site.writes && !site.atomicLoad) continue;
      site.firstLook = looks[at];
      site.use = uses[at];
      program.waits = program.waits || site.use == FlagUse::waits;
    }
  }
}

/// Marks the accesses to shared variables for which some thread waits.
void markFlagVariables(Program& program) {
  std::set<uint64_t> flags;  // Start offsets of the variables.
  for (const CheckSite& site : program.sites) {
    const bool isKnown = site.sharedEnd != ~uint64_t{0};
    if (isKnown && site.use == FlagUse::waits) flags.insert(site.sharedBegin);
  }
  for (CheckSite& site : program.sites) {
    const bool isKnown = site.sharedEnd != ~uint64_t{0};
    site.ofFlag = isKnown && flags.contains(site.sharedBegin);
  }
}

}  // namespace

bool releases(const ptx::Instruction& instruction) {
  return instruction.has("release") || instruction.has("acq_rel");
}

bool countsAsFlag(const ptx::Instruction& i) {
  return ptx::accessesMemory(i) &&
         (i.isVolatile || ptx::effectOf(i) == ptx::Effect::atomic || hasOrder(i));
}

CheckSite siteOf(const ptx::Instruction& instruction, const Instr& instr) {
  CheckSite site;
  site.source = instr.source;
  const ptx::Effect effect = ptx::effectOf(instruction);
  const bool load = effect == ptx::Effect::load;
  const bool atomic = effect == ptx::Effect::atomic;
  site.checked = ptx::accessesMemory(instruction) && instr.site < kMaxSites &&
                 instr.space != MemorySpace::param && instr.space != MemorySpace::constant;
  site.atomic = atomic;
  site.compares = atomic && instruction.has("cas");
  site.reads = load || (atomic && !instruction.has("exch"));
  site.writes = !load;
  site.ordered = atomic || hasOrder(instruction);
  site.release = releases(instruction);
  site.ofBlock = site.ordered && instruction.has("cta");
  site.ofSystem = site.ordered && instruction.has("sys");
  site.isVolatile = instruction.isVolatile;
  site.isSigned = load && ptx::isSigned(instruction.type);
  site.nonCoherent = load && instruction.has("nc");
  return site;
}

void Scrutiny::add(const CheckSite& site, const Instr& instr) {
  written = written || site.writes;
  read = read || (site.reads && !site.atomic);
  atomic = atomic || site.atomic;
  const bool loadsData = site.atomicLoad && site.use == FlagUse::data;
  atomicsMayRace = atomicsMayRace || loadsData || (site.atomic && site.ofBlock);
  granuleShift = std::min<unsigned>(granuleShift, std::countr_zero(unsigned{instr.bytes}));
}

CheckPlan planChecks(Program& program, uint32_t sharedBytes, size_t regions,
                     const std::function<int(const std::string&)>& regionOf) {
  CheckPlan plan;
  plan.regions.resize(regions);
  markLoads(program);
  markWhatIsRead(program);
  const Provenance provenance(*program.entry);
  for (const Instr& instr : program.all) {
    if (instr.bytes == 0 || !program.sites[instr.site].checked) continue;
    CheckSite& site = program.sites[instr.site];
    // Addresses in called functions may point into any memory.
    Bases bases;
    bases.unknown = instr.source >= program.entry->body.size();
    if (!bases.unknown) bases = provenance.of(program.entry->body[instr.source]);
    const bool generic = instr.space == MemorySpace::generic;
    if (instr.space == MemorySpace::shared || generic) plan.shared.add(site, instr);
    if (instr.space == MemorySpace::shared) {
      if (const SharedVariable* variable = variableOf(program, bases)) {
        site.sharedBegin = variable->offset;
        site.sharedEnd =
            variable->bytes != 0 ? uint64_t{variable->offset} + variable->bytes : sharedBytes;
      }
    }
    if (instr.space != MemorySpace::global && !generic) continue;
    bool named = false;
    for (const std::string& name : bases.names) {
      const int region = regionOf(name);
      bases.unknown = bases.unknown || region == kAnyRegion;
      if (region < 0) continue;
      named = true;
      plan.regions[static_cast<size_t>(region)].add(site, instr);
    }
    if (named && !bases.unknown) continue;
    for (Scrutiny& region : plan.regions) region.add(site, instr);
  }
  markFlagVariables(program);
  return plan;
}

}  // namespace tilestep::simt
