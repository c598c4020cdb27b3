// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "ptx/ir.h"

/// How the lanes of a warp part and meet, as in the interpreter (simt/engine/paths.h).
namespace tilestep::cuda {

/// Stands for no instruction.
constexpr uint32_t kNowhere = ptx::kNone;

/// Calls visit(lane) for each lane of a mask, the lowest first.
template <class Visit>
void forEachLane(uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<uint32_t>(std::countr_zero(mask)));
}

/// Where each basic block of a function ends, as the interpreter cuts them: its warps take turns
/// by blocks.
struct ProgramShape {
  explicit ProgramShape(const ptx::Function& entry);

  std::vector<uint32_t> reconvergence;  ///< By instruction; kNowhere for none.
  std::vector<bool> onlyReturns;        ///< By instruction: branches and a return, nothing else.
  std::vector<uint32_t> blockEnd;       ///< By a block's first instruction.
};

/// The lanes of one warp that have not exited, and where they stand.
class WarpPaths {
 public:
  explicit WarpPaths(uint32_t lanes) : live_(lanes), paths_{{0, lanes, kNowhere}} {}

  [[nodiscard]] bool finished() const { return paths_.empty(); }
  [[nodiscard]] uint32_t live() const { return live_; }
  /// The lanes that run next, and the instruction at which they stand.
  [[nodiscard]] uint32_t mask() const { return paths_.back().mask; }
  [[nodiscard]] uint32_t at() const { return paths_.back().at; }

  void go(uint32_t to);
  /// The running lanes come to the branch at `index`, which `taken` of them take.
  void branch(const ptx::Function& entry, const ProgramShape& shape, uint32_t index,
              uint32_t taken);
  /// The lanes are gone for good; the others of the path go on at `next`.
  void leave(uint32_t gone, uint32_t next);
  /// Lanes that wait, or have not had their turn, with nothing but a return before them are gone.
  /// `left(lanes, instructions)` is told which, and how many instructions each of them had left.
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
  /// The last is walked; what lies below waits. Paths that meet at one place lie side by side,
  /// above the path that has them meet.
  std::vector<Path> paths_;
};

}  // namespace tilestep::cuda
