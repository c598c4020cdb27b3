// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/lane_variance.h"

#include <algorithm>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/liveness.h"
#include "ptx/analysis/uses.h"

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

/// Its results may differ between lanes even if all that it reads is the same.
bool differsByItself(const Instruction& i, bool isEntry) {
  switch (effectOf(i)) {
    case Effect::atomic:
    case Effect::lanes:
    case Effect::call:
    case Effect::object:
      return true;
    case Effect::load:
      return i.space == Space::local || i.isVolatile || (i.space == Space::param && !isEntry);
    default:
      return std::ranges::any_of(i.operands, readsLane);
  }
}

/// Its result is made from the values of all lanes, and all of them get the same.
bool isOfWarp(const Instruction& i) {
  return i.opcode == Opcode::vote || i.opcode == Opcode::redux || isBlockBarrier(i);
}

class VarianceFinder {
 public:
  VarianceFinder(const Function& function, const ControlFlow& flow)
      : function_(function),
        flow_(flow),
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
    for (bool changed = true; changed;) {
      changed = followValues();
      for (uint32_t block = 0; block < flow_.blocks.size(); ++block) {
        const Instruction& last = function_.body[flow_.blocks[block].end - 1];
        if (parted_[block] || !parts(last)) continue;
        parted_[block] = true;
        changed |= meetAfter(block);
      }
    }
    return std::move(varying_);
  }

 private:
  bool followValues() {
    bool changed = false;
    const auto isVarying = [&](uint32_t reg) -> bool { return varying_[reg]; };
    for (const Instruction& i : function_.body) {
      const bool varies = !isOfWarp(i) && (differsByItself(i, function_.isEntry) ||
                                           std::ranges::any_of(readRegisters(i), isVarying));
      for (const uint32_t reg : writtenRegisters(i)) {
        if (!varies || varying_[reg]) continue;
        varying_[reg] = changed = true;
      }
    }
    return changed;
  }

  /// Lanes may leave it in different directions.
  [[nodiscard]] bool parts(const Instruction& last) const {
    if (last.opcode == Opcode::brx)
      return std::ranges::any_of(readRegisters(last), [&](uint32_t reg) { return varying_[reg]; });
    return isBranch(last) && isGuarded(last) && varying_[last.guard.reg];
  }

  /// Where lanes that parted at this block's end meet, registers differ that were written on the
  /// way and are still read.
  bool meetAfter(uint32_t block) {
    const uint32_t last = flow_.blocks[block].end - 1;
    const uint32_t meeting = flow_.reconvergence[last];
    const uint32_t end = meeting < function_.body.size() ? flow_.blockOf[meeting] : kNone;
    std::vector<uint32_t> ways(flow_.blocks.size());  // How many successors lead there.
    std::vector<bool> written(varying_.size());
    for (const uint32_t first : flow_.blocks[block].successors) {
      for (const uint32_t reached : reachedFrom(first, end)) {
        ++ways[reached];
        if (reached == end) continue;
        const BasicBlock& way = flow_.blocks[reached];
        for (uint32_t i = way.first; i < way.end; ++i) {
          for (const uint32_t reg : writtenRegisters(function_.body[i])) written[reg] = true;
        }
      }
    }
    bool changed = false;
    for (uint32_t place = 0; place < ways.size(); ++place) {
      if (place != end && ways[place] < 2) continue;
      const Liveness::Bits& live = liveness_.atStart(place);
      for (uint32_t reg = 0; reg < varying_.size(); ++reg) {
        if (!written[reg] || !live[reg] || varying_[reg]) continue;
        varying_[reg] = changed = true;
      }
    }
    return changed;
  }

  /// `from` and what threads reach from there, up to the block `end`, which is among them.
  [[nodiscard]] std::vector<uint32_t> reachedFrom(uint32_t from, uint32_t end) const {
    std::vector<bool> seen(flow_.blocks.size());
    std::vector<uint32_t> reached{from};
    seen[from] = true;
    for (size_t next = 0; next < reached.size(); ++next) {
      if (reached[next] == end) continue;
      for (const uint32_t after : flow_.blocks[reached[next]].successors) {
        if (seen[after]) continue;
        seen[after] = true;
        reached.push_back(after);
      }
    }
    return reached;
  }

  const Function& function_;
  const ControlFlow& flow_;
  const Liveness liveness_;
  std::vector<bool> varying_;  ///< By register.
  std::vector<bool> parted_;   ///< By block: lanes may part at its end, and that was followed.
};

}  // namespace

std::vector<bool> varyingRegisters(const Function& function, const ControlFlow& flow) {
  return VarianceFinder(function, flow).find();
}

}  // namespace tilestep::ptx
