// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/known_values.h"

#include <algorithm>

#include "ptx/analysis/counted.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

bool isThreadIndex(SpecialRegister special) {
  return special >= SpecialRegister::tidX && special <= SpecialRegister::tidZ;
}

/// Whether the value depends only on the lane index.
bool isOfLane(SpecialRegister special) {
  return special == SpecialRegister::laneid ||
         (special >= SpecialRegister::lanemaskEq && special <= SpecialRegister::lanemaskGt);
}

/// Whether the value is the same in all warps of a launch, for a given lane index.
bool isLaunchs(SpecialRegister special) {
  return isOfLane(special) ||
         (special >= SpecialRegister::ntidX && special <= SpecialRegister::ntidZ) ||
         (special >= SpecialRegister::nctaidX && special <= SpecialRegister::nctaidZ) ||
         special == SpecialRegister::dynamicSmemSize || special == SpecialRegister::totalSmemSize;
}

bool differsBetweenLanes(const Operand& operand) {
  return operand.kind == Kind::special &&
         (isThreadIndex(operand.special) || isOfLane(operand.special));
}

}  // namespace

KnownValues::KnownValues(const Function& entry, const ControlFlow& flow, const RegisterGraph& graph,
                         bool ofOnePlace)
    : entry_(entry),
      flow_(flow),
      graph_(graph),
      ofOnePlace_(ofOnePlace),
      told_(entry.registers.size(), false),
      known_(entry.registers.size(), true),
      constant_(entry.registers.size(), false) {
  findTold();
  findKnown();
  findConstants();
}

/// Searches backward from guards in loops for predicates that are computed only outside of loops.
void KnownValues::findTold() {
  const auto isInLoop = [&](uint32_t i) { return flow_.isInLoop(i); };
  std::vector<uint32_t> guards;
  for (uint32_t i = 0; i < entry_.body.size(); ++i) {
    const Instruction& instruction = entry_.body[i];
    if (isInLoop(i) && instruction.guard.reg != kNone && isCounted(instruction))
      guards.push_back(instruction.guard.reg);
  }
  const Graph sources = reversed(graph_.edges(isInLoop));
  const std::vector<bool> decides = reach(
      sources.size(), guards, [&](uint32_t reg) -> const auto& { return sources[reg]; });
  for (uint32_t reg = 0; reg < told_.size(); ++reg) {
    told_[reg] = decides[reg] && entry_.registers[reg].type == Type::pred &&
                 std::ranges::none_of(graph_.writers[reg], isInLoop);
  }
}

/// All registers start as known; removes those that are not.
void KnownValues::findKnown() {
  graph_.solve([&](uint32_t i) {
    bool changed = false;
    for (const uint32_t reg : graph_.written[i]) {
      if (!known_[reg] || told_[reg] || makesKnown(i)) continue;
      known_[reg] = false;
      changed = true;
    }
    return changed;
  });
}

void KnownValues::findConstants() {
  graph_.solve([&](uint32_t i) {
    const auto isConstant = [&](uint32_t reg) { return constant_[reg]; };
    const bool makesConstants = !flow_.isInLoop(i) && makesKnown(i) &&
                                std::ranges::all_of(graph_.read[i], isConstant) &&
                                std::ranges::none_of(entry_.body[i].operands, differsBetweenLanes);
    bool changed = false;
    for (const uint32_t reg : graph_.written[i]) {
      if (!makesConstants || constant_[reg] || graph_.writers[reg].size() != 1) continue;
      constant_[reg] = true;
      changed = true;
    }
    return changed;
  });
}

bool KnownValues::makesKnown(uint32_t instruction) const {
  const Instruction& i = entry_.body[instruction];
  return (isPure(i) || loadsForLaunch(i)) &&
         std::ranges::all_of(graph_.read[instruction], [&](uint32_t r) { return known_[r]; }) &&
         std::ranges::all_of(i.operands, [&](const Operand& o) { return isSame(o); });
}

/// Whether the instruction loads an entry parameter or constant memory, which kernels cannot write.
bool KnownValues::loadsForLaunch(const Instruction& instruction) const {
  if (instruction.opcode != Opcode::ld) return false;
  if (instruction.space == Space::constant) return true;
  const Operand* address = addressOf(instruction);
  return instruction.space == Space::param && address != nullptr &&
         std::ranges::find(entry_.parameters, address->name, &Parameter::name) !=
             entry_.parameters.end();
}

/// Whether the operand contains no special register with an unknown value.
bool KnownValues::isSame(const Operand& operand) const {
  if (!std::ranges::all_of(operand.elements, [&](const Operand& e) { return isSame(e); }))
    return false;
  if (operand.kind != Kind::special) return true;
  return isLaunchs(operand.special) || (ofOnePlace_ && isThreadIndex(operand.special));
}

bool KnownValues::isKnown(const Operand& operand) const {
  if (operand.kind == Kind::reg) return known_[operand.reg];
  return operand.kind == Kind::immediate || operand.kind == Kind::symbol ||
         (operand.kind == Kind::special && isSame(operand));
}

bool KnownValues::isConstant(const Operand& operand) const {
  return operand.kind == Kind::immediate || (operand.kind == Kind::reg && constant_[operand.reg]);
}

}  // namespace tilestep::ptx
