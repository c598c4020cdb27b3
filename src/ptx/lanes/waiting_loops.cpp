// SPDX-License-Identifier: Apache-2.0
#include "ptx/lanes/waiting_loops.h"

#include <algorithm>

#include "ptx/analysis/counted.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"
#include "ptx/lanes/partings.h"

namespace tilestep::ptx {
namespace {

bool isClock(SpecialRegister special) {
  return (special >= SpecialRegister::clock && special <= SpecialRegister::globaltimer) ||
         special == SpecialRegister::globaltimerLo || special == SpecialRegister::globaltimerHi;
}

/// Whether the instruction observes other threads or the time.
bool looksAtOthers(const Instruction& i) {
  switch (effectOf(i)) {
    case Effect::atomic:
    case Effect::object:
      return true;
    case Effect::load:
      return i.isVolatile || i.has("acquire") || i.has("relaxed") || i.has("mmio");
    default:
      return std::ranges::any_of(i.operands, [](const Operand& operand) {
        return operand.kind == Operand::Kind::special && isClock(operand.special);
      });
  }
}

/// The registers that depend on a loop's observations of other threads or the time: through their
/// values, or because a branch that depends on an observation determines whether they are written.
class Learnt {
 public:
  Learnt(const Function& function, const ControlFlow& flow, const RegisterGraph& graph,
         const Loop& loop)
      : function_(function),
        flow_(flow),
        graph_(graph),
        loop_(loop),
        registers_(function.registers.size()),
        blocks_(flow.blocks.size()) {
    const std::vector<uint32_t> inside = instructionsOf(flow, loop);
    sweep(inside.size(), [&](uint32_t n) { return follow(inside[n]); });
  }

  [[nodiscard]] bool isReadBy(uint32_t instruction) const {
    return std::ranges::any_of(graph_.read[instruction],
                               [&](uint32_t reg) -> bool { return registers_[reg]; });
  }

 private:
  bool follow(uint32_t i) {
    const uint32_t block = flow_.blockOf[i];
    bool changed = false;
    if (looksAtOthers(function_.body[i]) || isReadBy(i) || blocks_[block]) {
      for (const uint32_t reg : graph_.written[i]) {
        if (!registers_[reg]) registers_[reg] = changed = true;
      }
    }
    const bool chooses =
        i + 1 == flow_.blocks[block].end && flow_.blocks[block].successors.size() > 1;
    if (!chooses || !isReadBy(i)) return changed;
    const Parting parting = partingAt(function_, flow_, block);
    for (const uint32_t way : loop_.blocks) {
      if (parting.ways[way] && !blocks_[way]) blocks_[way] = changed = true;
    }
    return changed;
  }

  const Function& function_;
  const ControlFlow& flow_;
  const RegisterGraph& graph_;
  const Loop& loop_;
  Bits registers_, blocks_;
};

}  // namespace

std::vector<uint32_t> waitsOf(const Function& function, const ControlFlow& flow,
                              const RegisterGraph& graph, const Loop& loop) {
  const std::vector<uint32_t> inside = instructionsOf(flow, loop);
  const bool learns =
      std::ranges::any_of(inside, [&](uint32_t i) { return looksAtOthers(function.body[i]); });
  if (!learns) return {};
  const Learnt learnt(function, flow, graph, loop);
  std::vector<uint32_t> exits = exitsOf(function, flow, loop);
  std::erase_if(exits, [&](uint32_t exit) { return !learnt.isReadBy(exit); });
  return exits;
}

std::vector<uint32_t> upToBarrier(const Function& function, const ControlFlow& flow,
                                  const Loop& loop, uint32_t exit) {
  const auto outside = [&](uint32_t block) {
    std::vector<uint32_t> next = flow.blocks[block].successors;
    std::erase_if(next, [&](uint32_t b) { return std::ranges::binary_search(loop.blocks, b); });
    return next;
  };
  const auto firstBarrier = [&](uint32_t block) {
    uint32_t i = flow.blocks[block].first;
    while (i < flow.blocks[block].end && !isBarrier(function.body[i])) ++i;
    return i;
  };
  const Bits reached = reach(flow.blocks.size(), outside(flow.blockOf[exit]), [&](uint32_t block) {
    return firstBarrier(block) == flow.blocks[block].end ? outside(block) : std::vector<uint32_t>();
  });
  std::vector<uint32_t> instructions;
  for (const uint32_t block : numbersOf(reached)) {
    for (uint32_t i = flow.blocks[block].first; i < firstBarrier(block); ++i)
      instructions.push_back(i);
  }
  return instructions;
}

}  // namespace tilestep::ptx
