// SPDX-License-Identifier: Apache-2.0
#include "ptx/lanes/lane_variance.h"

#include <algorithm>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/analysis/uses.h"
#include "ptx/analysis/worklist.h"
#include "ptx/lanes/partings.h"

namespace tilestep::ptx {
namespace {

bool isOfLane(SpecialRegister special) {
  return (special >= SpecialRegister::tidX && special <= SpecialRegister::tidZ) ||
         special == SpecialRegister::laneid ||
         (special >= SpecialRegister::lanemaskEq && special <= SpecialRegister::lanemaskGt);
}

bool readsLane(const Operand& operand) {
  return (operand.kind == Operand::Kind::special && isOfLane(operand.special)) ||
         std::ranges::any_of(operand.elements, readsLane);
}

/// Whether a load may return different values to lanes that load from the same address.
bool loadsOfLane(const Instruction& i, const Function& function) {
  if (i.opcode != Opcode::ld && i.opcode != Opcode::ldu) return true;
  if (i.isVolatile || i.has("relaxed") || i.has("acquire") || i.has("mmio")) return true;
  if (i.space == Space::local || i.space == Space::generic || i.space == Space::none) return true;
  if (i.space != Space::param) return false;
  const Operand* address = addressOf(i);
  const bool isOfLaunch = function.isEntry && address != nullptr &&
                          std::ranges::any_of(function.parameters, [&](const Parameter& each) {
                            return each.name == address->name;
                          });
  return !isOfLaunch;
}

/// Whether the results may differ between lanes even if all sources are the same.
bool differsByItself(const Instruction& i, const Function& function) {
  switch (effectOf(i)) {
    case Effect::atomic:
    case Effect::lanes:
    case Effect::call:
    case Effect::object:
      return true;
    case Effect::load:
      return loadsOfLane(i, function);
    default:
      return std::ranges::any_of(i.operands, readsLane);
  }
}

/// Whether the result is computed from the values of all lanes that run the instruction together,
/// and is the same for all of them.
bool isOfWarp(const Instruction& i) {
  return i.opcode == Opcode::vote || i.opcode == Opcode::redux || isBlockBarrier(i);
}

class VarianceFinder {
 public:
  VarianceFinder(const Function& function, const ControlFlow& flow)
      : function_(function),
        flow_(flow),
        graph_(function),
        liveness_(function, flow),
        varying_(function.registers.size()),
        parted_(flow.blocks.size()) {
    for (const Parameter& parameter : function.parameters) {
      for (uint32_t reg = 0; reg < function.registers.size(); ++reg) {
        if (parameter.isRegister && function.registers[reg].name == parameter.name)
          varying_[reg] = true;
      }
    }
  }

  std::vector<bool> find() {
    sweep(flow_.blocks.size(), [&](uint32_t block) {
      if (block == 0) followValues();
      if (parted_[block] || !parts(function_.body[flow_.blocks[block].end - 1])) return false;
      parted_[block] = true;
      return meetAfter(block);
    });
    return std::move(varying_);
  }

 private:
  [[nodiscard]] bool readsVarying(uint32_t instruction) const {
    return std::ranges::any_of(graph_.read[instruction],
                               [&](uint32_t reg) -> bool { return varying_[reg]; });
  }

  [[nodiscard]] bool isVarying(const Operand& operand) const {
    return (operand.reg != kNone && varying_[operand.reg]) || readsLane(operand);
  }

  /// Whether only some lanes may get the result of an instruction with isOfWarp(): its guard or its
  /// last operand, the member mask, differs between lanes.
  [[nodiscard]] bool isGivenToSome(const Instruction& i) const {
    return (isGuarded(i) && varying_[i.guard.reg]) ||
           (!isBlockBarrier(i) && !i.operands.empty() && isVarying(i.operands.back()));
  }

  void followValues() {
    graph_.solve([&](uint32_t index) {
      const Instruction& i = function_.body[index];
      const bool varies =
          isOfWarp(i) ? isGivenToSome(i) : differsByItself(i, function_) || readsVarying(index);
      if (!varies) return false;
      bool changed = false;
      for (const uint32_t reg : graph_.written[index]) {
        if (!varying_[reg]) varying_[reg] = changed = true;
      }
      return changed;
    });
  }

  /// Whether lanes may diverge at this instruction, the last of its block.
  [[nodiscard]] bool parts(const Instruction& last) const {
    const bool chooses = last.opcode == Opcode::brx || (isBranch(last) && isGuarded(last));
    return chooses && std::ranges::any_of(readRegisters(last),
                                          [&](uint32_t reg) -> bool { return varying_[reg]; });
  }

  /// Marks the registers that vary after lanes diverged at the end of `block`: those that are
  /// written before the lanes reconverge and are still live then.
  bool meetAfter(uint32_t block) {
    const Parting parting = partingAt(function_, flow_, block);
    Bits written(varying_.size());
    for (const uint32_t way : numbersOf(parting.ways)) {
      for (uint32_t i = flow_.blocks[way].first; i < flow_.blocks[way].end; ++i) {
        for (const uint32_t reg : graph_.written[i]) written[reg] = true;
      }
    }
    std::vector<uint32_t> places = parting.early;
    if (parting.end != kNone) places.push_back(parting.end);
    bool changed = false;
    for (const uint32_t place : places) {
      const Bits& live = liveness_.atStart(place);
      for (uint32_t reg = 0; reg < varying_.size(); ++reg) {
        if (!written[reg] || !live[reg] || varying_[reg]) continue;
        varying_[reg] = changed = true;
      }
    }
    return changed;
  }

  const Function& function_;
  const ControlFlow& flow_;
  const RegisterGraph graph_;
  const Liveness liveness_;
  Bits varying_;  ///< For each register.
  Bits parted_;   ///< Blocks at whose end lanes may diverge, if meetAfter() was called for them.
};

}  // namespace

std::vector<bool> varyingRegisters(const Function& function, const ControlFlow& flow) {
  return VarianceFinder(function, flow).find();
}

}  // namespace tilestep::ptx
