// SPDX-License-Identifier: Apache-2.0
#include "ptx/liveness.h"

#include "ptx/definitions.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

void readsOf(const Operand& operand, std::vector<uint32_t>& reads) {
  if (operand.reg != kNone) reads.push_back(operand.reg);
  for (const Operand& element : operand.elements) readsOf(element, reads);
}

}  // namespace

std::vector<uint32_t> registersWritten(const Instruction& instruction) {
  if (instruction.opcode != Opcode::call) return writtenRegisters(instruction);
  std::vector<uint32_t> registers;
  for (const Operand& operand : instruction.operands) {
    for (const Operand& element : operand.elements) {
      if (element.kind == Kind::reg) registers.push_back(element.reg);
    }
  }
  return registers;
}

Liveness::Liveness(const Function& function, const ControlFlow& flow)
    : function_(function),
      flow_(flow),
      atStart_(flow.blocks.size(), Bits(function.registers.size(), false)) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t b = flow.blocks.size(); b-- > 0;) {
      Bits live = atEnd(static_cast<uint32_t>(b));
      for (uint32_t i = flow.blocks[b].end; i-- > flow.blocks[b].first;) stepBack(i, live);
      if (live == atStart_[b]) continue;
      atStart_[b] = std::move(live);
      changed = true;
    }
  }
}

Liveness::Bits Liveness::atEnd(uint32_t block) const {
  Bits live(function_.registers.size(), false);
  for (const uint32_t next : flow_.blocks[block].successors) {
    for (size_t reg = 0; reg < live.size(); ++reg) {
      if (atStart_[next][reg]) live[reg] = true;
    }
  }
  return live;
}

void Liveness::stepBack(uint32_t instruction, Bits& live) const {
  const Instruction& i = function_.body[instruction];
  const std::vector<uint32_t> writes = registersWritten(i);
  if (i.guard.reg == kNone) {
    for (const uint32_t reg : writes) live[reg] = false;
  }
  std::vector<uint32_t> reads;
  if (i.guard.reg != kNone) reads.push_back(i.guard.reg);
  // The destination stands first; where nothing is written all operands are read.
  for (size_t k = 0; k < i.operands.size(); ++k) {
    if (k > 0 || writes.empty() || i.opcode == Opcode::call) readsOf(i.operands[k], reads);
  }
  for (const uint32_t reg : reads) live[reg] = true;
}

Liveness::Bits Liveness::before(uint32_t instruction) const {
  const uint32_t block = flow_.blockOf[instruction];
  Bits live = atEnd(block);
  for (uint32_t i = flow_.blocks[block].end; i-- > instruction;) stepBack(i, live);
  return live;
}

}  // namespace tilestep::ptx
