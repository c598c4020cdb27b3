// SPDX-License-Identifier: Apache-2.0
#include "ptx/lanes/waiting_loops.h"

#include <algorithm>

#include "ptx/analysis/counted.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"

namespace tilestep::ptx {
namespace {

/// Loads what other threads may be writing, or the time.
bool looksAtOthers(const Instruction& i) {
  if (effectOf(i) == Effect::atomic) return true;
  if (effectOf(i) == Effect::load)
    return i.isVolatile || i.has("acquire") || i.has("relaxed") || i.has("mmio");
  return std::ranges::any_of(i.operands, [](const Operand& operand) {
    return operand.kind == Operand::Kind::special && operand.special >= SpecialRegister::clock &&
           operand.special <= SpecialRegister::globaltimer;
  });
}

}  // namespace

std::optional<uint32_t> waitOf(const Function& function, const ControlFlow& flow,
                               const RegisterGraph& graph, const Loop& loop) {
  Bits inside(function.body.size()), ofOthers(function.registers.size());
  for (const uint32_t i : instructionsOf(flow, loop)) inside[i] = true;
  const auto isOfOthers = [&](uint32_t reg) -> bool { return ofOthers[reg]; };
  graph.solve([&](uint32_t i) {
    const bool follows = inside[i] && (looksAtOthers(function.body[i]) ||
                                       std::ranges::any_of(graph.read[i], isOfOthers));
    bool changed = false;
    for (const uint32_t reg : graph.written[i]) {
      if (follows && !ofOthers[reg]) ofOthers[reg] = changed = true;
    }
    return changed;
  });
  for (const uint32_t exit : exitsOf(function, flow, loop)) {
    if (std::ranges::any_of(graph.read[exit], isOfOthers)) return exit;
  }
  return std::nullopt;
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
