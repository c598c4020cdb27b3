// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/liveness.h"

#include "ptx/analysis/uses.h"

namespace tilestep::ptx {

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
  if (i.guard.reg == kNone) {
    for (const uint32_t reg : writtenRegisters(i)) live[reg] = false;
  }
  for (const uint32_t reg : readRegisters(i)) live[reg] = true;
}

Liveness::Bits Liveness::before(uint32_t instruction) const {
  const uint32_t block = flow_.blockOf[instruction];
  Bits live = atEnd(block);
  for (uint32_t i = flow_.blocks[block].end; i-- > instruction;) stepBack(i, live);
  return live;
}

Liveness::Bits Liveness::after(uint32_t instruction) const {
  const uint32_t block = flow_.blockOf[instruction];
  return instruction + 1 == flow_.blocks[block].end ? atEnd(block) : before(instruction + 1);
}

}  // namespace tilestep::ptx
