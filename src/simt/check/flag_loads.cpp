// SPDX-License-Identifier: Apache-2.0
#include "simt/check/flag_loads.h"

#include <algorithm>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"
#include "simt/check/sites.h"

namespace tilestep::simt {
namespace {

using ptx::Instruction;
using ptx::Opcode;

bool isFlagLoad(const Instruction& i) {
  return (ptx::effectOf(i) == ptx::Effect::load && countsAsFlag(i)) || isAtomicLoad(i);
}

/// Whether the operand is the constant 0 or floating-point -0.
bool isZero(const ptx::Operand& operand) {
  const ptx::Type type = operand.immediateType;
  const uint64_t sign = ptx::isFloat(type) ? uint64_t{1} << (8 * ptx::bytesOf(type) - 1) : 0;
  return operand.kind == ptx::Operand::Kind::immediate && (operand.bits & ~sign) == 0;
}

/// The registers whose values directly decide a path, a call or an atomic operation.
std::vector<uint32_t> decidingRegisters(const ptx::Function& function) {
  std::vector<uint32_t> registers;
  const auto add = [&](uint32_t reg) {
    if (reg != ptx::kNone) registers.push_back(reg);
  };
  for (const Instruction& i : function.body) {
    add(i.guard.reg);
    const bool leaves = i.opcode == Opcode::call || i.opcode == Opcode::brx ||
                        (i.space == ptx::Space::param && ptx::effectOf(i) == ptx::Effect::store);
    if (leaves)
      for (const uint32_t reg : ptx::readRegisters(i)) add(reg);
    // An outdated value is harmless as the expected value of a compare-and-swap and as the operand
    // of an atomic minimum, maximum, and or or, because these operations read the memory again. The
    // condition of a selection decides like a branch.
    if (i.has("cas") && i.operands.size() > 2) add(i.operands[2].reg);
    const bool decides = ptx::effectOf(i) == ptx::Effect::atomic &&
                         (i.has("min") || i.has("max") || i.has("and") || i.has("or"));
    if (decides) add(i.operands.back().reg);
    if (i.opcode == Opcode::selp && i.operands.size() > 3) add(i.operands[3].reg);
  }
  return registers;
}

class FlagSearch {
 public:
  FlagSearch(const ptx::Function& function, size_t& steps)
      : function_(function), graph_(function), steps_(steps) {}

  std::vector<FlagUse> run() {
    std::vector<FlagUse> uses(function_.body.size(), FlagUse::data);
    if (std::ranges::none_of(function_.body, isFlagLoad)) return uses;
    const std::vector<bool> decides = findDeciding();
    flow_ = ptx::analyseControlFlow(function_);
    for (uint32_t at = 0; at < uses.size(); ++at) {
      if (!isFlagLoad(function_.body[at])) continue;
      const bool used =
          std::ranges::any_of(graph_.written[at], [&](uint32_t reg) { return decides[reg]; });
      if (used) uses[at] = comesBack(at) ? FlagUse::waits : FlagUse::decides;
    }
    return uses;
  }

 private:
  /// For each register: whether a value computed from it reaches a deciding register.
  [[nodiscard]] std::vector<bool> findDeciding() const {
    const ptx::Graph sources = ptx::reversed(
        graph_.edges([&](uint32_t i) { return !ptx::accessesMemory(function_.body[i]); }));
    return ptx::reach(
        sources.size(),
        decidingRegisters(function_), [&](uint32_t reg) -> const auto& { return sources[reg]; });
  }

  /// The registers that determine an address, which is constant until one of them is written.
  [[nodiscard]] std::vector<uint32_t> originsOf(uint32_t address) const {
    std::vector<uint32_t> origins;
    const auto behind = [&](uint32_t reg) {
      const std::vector<uint32_t>& writers = graph_.writers[reg];
      const bool isComputed = writers.size() == 1 &&
                              ptx::effectOf(function_.body[writers[0]]) == ptx::Effect::none &&
                              function_.body[writers[0]].guard.reg == ptx::kNone;
      if (isComputed) return graph_.read[writers[0]];
      origins.push_back(reg);
      return std::vector<uint32_t>{};
    };
    ptx::reach(graph_.writers.size(), std::vector<uint32_t>{address}, behind);
    return origins;
  }

  /// Whether the thread may repeat the load, from the same address and with no barrier between.
  bool comesBack(uint32_t load) {
    const ptx::Operand* address = ptx::addressOf(function_.body[load]);
    std::vector<uint32_t> origins;
    if (address != nullptr && address->reg != ptx::kNone) origins = originsOf(address->reg);
    bool found = false;
    const auto behind = [&](uint32_t first, uint32_t block) {
      for (uint32_t at = first; at < flow_.blocks[block].end; ++at) {
        found = found || at == load;
        const auto& written = graph_.written[at];
        const bool ends = steps_ == 0 || ptx::isBlockBarrier(function_.body[at]) ||
                          std::ranges::find_first_of(written, origins) != written.end();
        if (steps_ > 0) --steps_;
        if (found || ends) return std::vector<uint32_t>{};
      }
      return flow_.blocks[block].successors;
    };
    ptx::reach(flow_.blocks.size(), behind(load + 1, flow_.blockOf[load]),
               [&](uint32_t block) { return behind(flow_.blocks[block].first, block); });
    return found;
  }

  const ptx::Function& function_;
  ptx::RegisterGraph graph_;
  ptx::ControlFlow flow_;
  size_t& steps_;
};

}  // namespace

bool isAtomicLoad(const Instruction& i) {
  if (i.opcode != Opcode::atom || i.operands.size() < 3) return false;
  const bool keeps = i.has("add") || i.has("or") || i.has("xor");
  const bool swaps = i.has("cas") && i.operands.size() > 3;
  return (keeps && isZero(i.operands[2])) ||
         (swaps && isZero(i.operands[2]) && isZero(i.operands[3]));
}

std::vector<FlagUse> flagUses(const ptx::Function& function, size_t& steps) {
  return FlagSearch(function, steps).run();
}

}  // namespace tilestep::simt
