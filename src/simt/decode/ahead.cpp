// SPDX-License-Identifier: Apache-2.0
#include "simt/decode/ahead.h"

#include "ptx/analysis/graph.h"
#include "ptx/analysis/worklist.h"

namespace tilestep::simt {
namespace {

/// Not `work` if the block is only a return or exit of all its lanes. A trap has a micro-operation.
Ahead endOf(const DecodedBlock& block) {
  if (block.guard != kNoRow || block.instructions > 1) return Ahead::work;
  if (block.terminator == Terminator::back) return Ahead::back;
  const bool exits = block.terminator == Terminator::exit && block.begin == block.end;
  return exits ? Ahead::exit : Ahead::work;
}

/// The block that always follows `block`, if `block` does nothing else; otherwise kNoBlock.
uint32_t onlyLeadsTo(const DecodedBlock& block) {
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

void findReturnsAhead(std::vector<DecodedBlock>& blocks) {
  for (DecodedBlock& block : blocks) block.ahead = endOf(block);
  ptx::Graph leading(blocks.size());  // By block: the empty blocks that lead to it.
  for (uint32_t from = 0; from < blocks.size(); ++from) {
    const uint32_t to = onlyLeadsTo(blocks[from]);
    if (to != kNoBlock) leading[to].push_back(from);
  }
  const auto update = [&](uint32_t at) {
    DecodedBlock& block = blocks[at];
    const uint32_t next = block.ahead == Ahead::work ? onlyLeadsTo(block) : kNoBlock;
    if (next == kNoBlock || blocks[next].ahead == Ahead::work) return false;
    block.ahead = blocks[next].ahead;
    return true;
  };
  ptx::solve(
      blocks.size(), ptx::Direction::backward,
      update, [&](uint32_t at) -> const auto& { return leading[at]; });
}

}  // namespace tilestep::simt
