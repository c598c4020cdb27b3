// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/liveness.h"

#include "ptx/analysis/uses.h"

namespace tilestep::ptx {

Liveness::Liveness(const Function& function, const ControlFlow& flow)
    : function_(function), flow_(flow) {
  const auto throughBlock = [&](uint32_t block, Bits& live) {
    for (uint32_t i = flow.blocks[block].end; i-- > flow.blocks[block].first;) stepBack(i, live);
  };
  bits_ = solveBlocks(flow, Direction::backward, function.registers.size(), throughBlock);
}

void Liveness::stepBack(uint32_t instruction, Bits& live) const {
  const Instruction& i = function_.body[instruction];
  if (i.guard.reg == kNone) {
    for (const uint32_t reg : writtenRegisters(i)) live[reg] = false;
  }
  for (const uint32_t reg : readRegisters(i)) live[reg] = true;
}

Liveness::Bits Liveness::before(uint32_t instruction) const {
  const uint32_t block = flow_.blockOf[instruction];
  Bits live = bits_.in[block];
  for (uint32_t i = flow_.blocks[block].end; i-- > instruction;) stepBack(i, live);
  return live;
}

Liveness::Bits Liveness::after(uint32_t instruction) const {
  const uint32_t block = flow_.blockOf[instruction];
  return instruction + 1 == flow_.blocks[block].end ? bits_.in[block] : before(instruction + 1);
}

Bits Liveness::readBeforeWritten() const {
  return bits_.out.empty() ? Bits(function_.registers.size(), false) : bits_.out.front();
}

}  // namespace tilestep::ptx
