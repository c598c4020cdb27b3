// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "ptx/ir.h"

/// Divergence and reconvergence of a warp's lanes, as in the interpreter (simt/engine/paths.h).
namespace tilestep::cuda {

/// The index of no instruction.
constexpr uint32_t kNowhere = ptx::kNone;

/// Calls visit(lane) for each lane of a mask, lowest first.
template <class Visit>
void forEachLane(uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<uint32_t>(std::countr_zero(mask)));
}

/// The basic blocks of a function, split as in the interpreter, whose warps take turns by blocks.
struct ProgramShape {
  explicit ProgramShape(const ptx::Function& entry);

  std::vector<uint32_t> reconvergence;  ///< By instruction; kNowhere for none.
  std::vector<bool> onlyReturns;        ///< By instruction: only branches and a return follow.
  std::vector<uint32_t> blockEnd;       ///< By a block's first instruction.
};

/// The lanes of one warp that have not exited, and their positions.
class WarpPaths {
 public:
  explicit WarpPaths(uint32_t lanes) : live_(lanes), paths_{{0, lanes, kNowhere}} {}

  [[nodiscard]] bool finished() const { return paths_.empty(); }
  [[nodiscard]] uint32_t live() const { return live_; }
  /// The lanes that run next, and their next instruction.
  [[nodiscard]] uint32_t mask() const { return paths_.back().mask; }
  [[nodiscard]] uint32_t at() const { return paths_.back().at; }

  void go(uint32_t to);
  /// The running lanes reach the branch at `index`; the lanes in `taken` take it.
  void branch(const ptx::Function& entry, const ProgramShape& shape, uint32_t index,
              uint32_t taken);
  /// The lanes in `gone` exit; the others of the path continue at `next`.
  void leave(uint32_t gone, uint32_t next);
  /// Lanes that wait or have not run yet, and have only a return left, exit. Calls `left(lanes,
  /// instructions)` with these lanes and the number of instructions that each still had to execute.
  void letReturn(const ptx::Function& entry, const ProgramShape& shape,
                 const std::function<void(uint32_t, uint32_t)>& left = {});

 private:
  struct Path {
    uint32_t at, mask, reconverge;
  };
  void split(uint32_t taken, uint32_t target, uint32_t next, uint32_t reconverge);
  void meet();
  void regroup();

  uint32_t live_;
  /// The last path runs; those below it wait. Paths with the same reconvergence point are adjacent,
  /// above the path at which they reconverge.
  std::vector<Path> paths_;
};

}  // namespace tilestep::cuda
