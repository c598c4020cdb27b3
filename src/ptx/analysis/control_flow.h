// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/graph.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The instructions [first, end). Threads enter only at the first and leave only at the last.
struct BasicBlock {
  uint32_t first = 0;
  uint32_t end = 0;
  std::vector<uint32_t> successors;    ///< Block indices; empty if the function ends here.
  std::vector<uint32_t> predecessors;  ///< Block indices.
};

struct ControlFlow {
  std::vector<BasicBlock> blocks;
  std::vector<uint32_t> blockOf;  ///< By instruction.
  /// For each conditional branch (guarded bra, brx), the instruction at which its paths reconverge:
  /// its immediate post-dominator, or body.size() if they only meet at the function's end. kNone
  /// for all other instructions.
  std::vector<uint32_t> reconvergence;
  Cycles loops;  ///< Of blocks.

  /// Whether a thread may run the instruction more than once before it leaves the function.
  [[nodiscard]] bool isInLoop(uint32_t instruction) const {
    return loops.cyclic[blockOf[instruction]];
  }
};

/// Threads leave the function at ret and exit. A guarded ret or exit only removes threads and does
/// not end a block. If one path of a branch can never reach the end (an endless loop, a trap), but
/// the other can, the first path is ignored. Within endless code, the last block serves as the end.
/// Branch targets must be resolved. Source: Cooper, Harvey and Kennedy, A Simple, Fast Dominance
/// Algorithm, applied to the reversed graph.
[[nodiscard]] ControlFlow analyseControlFlow(const Function& function);

}  // namespace tilestep::ptx
