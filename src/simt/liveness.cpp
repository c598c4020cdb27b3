// SPDX-License-Identifier: Apache-2.0
#include "simt/liveness.h"

namespace tilestep::simt {
namespace {

using ptx::Opcode;
using Registers = std::vector<bool>;

bool hasResult(Opcode opcode) {
  switch (opcode) {
    case Opcode::st:
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::bar:
    case Opcode::barrier:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::membar:
    case Opcode::fence:
    case Opcode::nanosleep:
    case Opcode::trap:
    case Opcode::call:
    case Opcode::red:
      return false;
    default:
      return true;
  }
}

template <class Visit>
void forEachRegister(const ptx::Operand& operand, Visit visit) {
  if (operand.reg != ptx::kNone) visit(operand.reg);
  for (const ptx::Operand& element : operand.elements) forEachRegister(element, visit);
}

/// From what is live after the instruction to what is live before it.
void stepBack(const ptx::Instruction& instruction, Registers& live) {
  const bool guarded = instruction.guard.reg != ptx::kNone;
  const size_t first = hasResult(instruction.opcode) && !instruction.operands.empty() ? 1 : 0;
  // A guarded result may leave the old value in place.
  if (first == 1 && !guarded) {
    forEachRegister(instruction.operands[0], [&](uint32_t reg) { live[reg] = false; });
  }
  for (size_t i = first; i < instruction.operands.size(); ++i) {
    forEachRegister(instruction.operands[i], [&](uint32_t reg) { live[reg] = true; });
  }
  if (guarded) live[instruction.guard.reg] = true;
}

/// By block of the control flow.
std::vector<Registers> liveAtBlocks(const ptx::Function& function, const ptx::ControlFlow& flow) {
  const size_t count = function.registers.size();
  std::vector<Registers> liveIn(flow.blocks.size(), Registers(count, false));
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = flow.blocks.size(); b-- > 0;) {
      Registers live(count, false);
      for (const uint32_t successor : flow.blocks[b].successors) {
        for (size_t r = 0; r < count; ++r) live[r] = live[r] || liveIn[successor][r];
      }
      for (uint32_t i = flow.blocks[b].end; i-- > flow.blocks[b].first;) {
        stepBack(function.body[i], live);
      }
      if (live == liveIn[b]) continue;
      liveIn[b] = std::move(live);
      changed = true;
    }
  }
  return liveIn;
}

std::vector<uint32_t> numbersOf(const Registers& live) {
  std::vector<uint32_t> registers;
  for (uint32_t r = 0; r < live.size(); ++r) {
    if (live[r]) registers.push_back(r);
  }
  return registers;
}

}  // namespace

std::vector<uint32_t> readBeforeWritten(const ptx::Function& function,
                                        const ptx::ControlFlow& flow) {
  if (flow.blocks.empty()) return {};
  return numbersOf(liveAtBlocks(function, flow)[0]);
}

std::map<uint32_t, std::vector<uint32_t>> liveBehindCalls(const ptx::Function& function,
                                                          const ptx::ControlFlow& flow) {
  std::map<uint32_t, std::vector<uint32_t>> behind;
  const std::vector<Registers> liveIn = liveAtBlocks(function, flow);
  for (const ptx::BasicBlock& block : flow.blocks) {
    Registers live(function.registers.size(), false);
    for (const uint32_t successor : block.successors) {
      for (size_t r = 0; r < live.size(); ++r) live[r] = live[r] || liveIn[successor][r];
    }
    for (uint32_t i = block.end; i-- > block.first;) {
      if (function.body[i].opcode == Opcode::call) behind[i] = numbersOf(live);
      stepBack(function.body[i], live);
    }
  }
  return behind;
}

}  // namespace tilestep::simt
