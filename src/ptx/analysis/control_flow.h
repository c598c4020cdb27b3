// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Instructions [first, end) that are entered at the first and left at the last alone.
struct BasicBlock {
  uint32_t first = 0;
  uint32_t end = 0;
  std::vector<uint32_t> successors;  ///< Blocks; empty when the threads leave here.
};

struct ControlFlow {
  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> blockOf;  ///< By instruction.
  /// By instruction: where the ways of a conditional branch (guarded bra, brx) meet again, its
  /// immediate post-dominator; body.size() when only the end of the function joins them; kNone for
  /// every other instruction.
  std::vector<uint32_t> reconvergence;
};

/// Threads leave at ret and exit. A guarded ret or exit only takes threads away and ends no block.
/// A way that can never reach the end (an endless loop, a trap) does not count where the other way
/// can; inside such code the last block stands for its end. Branches must have their targets.
/// Source: Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm, on the reversed graph.
[[nodiscard]] ControlFlow analyseControlFlow(const Function& function);

}  // namespace tilestep::ptx
