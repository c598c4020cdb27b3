// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/graph.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// Instructions [first, end) that are entered only at the first and left only at the last.
struct BasicBlock {
  uint32_t first = 0;
  uint32_t end = 0;
  std::vector<uint32_t> successors;    ///< Blocks; empty if the threads leave here.
  std::vector<uint32_t> predecessors;  ///< Blocks.
};

struct ControlFlow {
  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> blockOf;  ///< By instruction.
  /// By instruction: where the paths of a conditional branch (guarded bra, brx) reconverge, its
  /// immediate post-dominator. body.size() if only the end of the function joins them; kNone for
  /// every other instruction.
  std::vector<uint32_t> reconvergence;
  Cycles loops;  ///< Of blocks.

  /// Whether a thread may run the instruction more than once before it leaves the function.
  [[nodiscard]] bool isInLoop(uint32_t instruction) const {
    return loops.cyclic[blockOf[instruction]];
  }
};

/// Threads leave at ret and exit. A guarded ret or exit only removes threads and does not end a
/// block. A path that can never reach the end (an endless loop, a trap) is ignored if the other
/// path can; within such code the last block serves as its end. Branch targets must be resolved.
/// Source: Cooper, Harvey and Kennedy, A Simple, Fast Dominance Algorithm, on the reversed graph.
[[nodiscard]] ControlFlow analyseControlFlow(const Function& function);

}  // namespace tilestep::ptx
