// SPDX-License-Identifier: Apache-2.0
#include "simt/decode/ahead.h"

namespace tilestep::simt {
namespace {

/// A return or exit of all its lanes and nothing else; a trap has a micro-operation.
Ahead endOf(const BasicBlock& block) {
  if (block.guard != kNoRow || block.instructions > 1) return Ahead::work;
  if (block.terminator == Terminator::back) return Ahead::back;
  const bool exits = block.terminator == Terminator::exit && block.begin == block.end;
  return exits ? Ahead::exit : Ahead::work;
}

/// The block that always follows one that does nothing itself; kNoBlock for all others.
uint32_t onlyLeadsTo(const BasicBlock& block) {
  switch (block.terminator) {
    case Terminator::fall:
      return block.instructions == 0 ? block.next : kNoBlock;
    case Terminator::branch:
    case Terminator::spin:
      return block.guard == kNoRow && block.instructions == 1 ? block.target : kNoBlock;
    default:
      return kNoBlock;
  }
}

}  // namespace

void findReturnsAhead(std::vector<BasicBlock>& blocks) {
  for (BasicBlock& block : blocks) block.ahead = endOf(block);
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock& block : blocks) {
      const uint32_t next = block.ahead == Ahead::work ? onlyLeadsTo(block) : kNoBlock;
      if (next == kNoBlock || blocks[next].ahead == Ahead::work) continue;
      block.ahead = blocks[next].ahead;
      changed = true;
    }
  }
}

}  // namespace tilestep::simt
