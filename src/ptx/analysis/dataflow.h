// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/worklist.h"

namespace tilestep::ptx {

/// Sets each bit of `to` that is set in `from`. Both must have the same size.
inline void unite(Bits& to, const Bits& from) {
  std::transform(to.begin(), to.end(), from.begin(), to.begin(), std::logical_or<>());
}

/// For each block, the facts before and after it in the direction of the analysis: in a backward
/// analysis, `in` is at the block's end.
struct BlockBits {
  std::vector<Bits> in, out;
};

/// Solves for facts that hold at a block if they hold on some path to it (forward) or from it
/// (backward). transfer(block, bits) changes the `size` facts before a block to those after it. It
/// must be monotone: setting more input bits must not clear output bits.
template <class Transfer>
BlockBits solveBlocks(const ControlFlow& flow, Direction direction, size_t size,
                      Transfer transfer) {
  BlockBits bits{std::vector<Bits>(flow.blocks.size(), Bits(size, false)), {}};
  bits.out = bits.in;
  const bool isForward = direction == Direction::forward;
  const auto neighbours = [&](uint32_t block, bool after) -> const std::vector<uint32_t>& {
    return after == isForward ? flow.blocks[block].successors : flow.blocks[block].predecessors;
  };
  const auto update = [&](uint32_t block) {
    for (const uint32_t before : neighbours(block, false)) unite(bits.in[block], bits.out[before]);
    Bits out = bits.in[block];
    transfer(block, out);
    if (out == bits.out[block]) return false;
    bits.out[block] = std::move(out);
    return true;
  };
  solve(
      flow.blocks.size(), direction,
      update, [&](uint32_t block) -> const auto& { return neighbours(block, true); });
  return bits;
}

}  // namespace tilestep::ptx
