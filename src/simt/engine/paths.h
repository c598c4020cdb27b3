// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/rows.h"

/// Which lanes of a warp run next, and where. This is all that knows how a warp diverges: paths
/// wait on a stack and meet again at the branch's immediate post-dominator (Fung et al., MICRO
/// 2007).
namespace tilestep::simt::TILESTEP_ENGINE {

class PathStack {
 public:
  explicit PathStack(Paths& paths) : paths_(paths) {}

  void start(uint32_t mask) {
    paths_.depth = 1;
    paths_.entries[0] = {0, mask, kNoBlock};
  }
  [[nodiscard]] bool finished() const { return paths_.depth == 0; }
  [[nodiscard]] uint32_t block() const { return top().block; }
  [[nodiscard]] uint32_t mask() const { return top().mask; }

  void go(uint32_t block) {
    top().block = block;
    meet();
  }

  /// Some lanes go to `target`, the others to `next`; all meet at `reconverge`.
  void split(uint32_t taken, uint32_t target, uint32_t next, uint32_t reconverge) {
    const uint32_t others = top().mask & ~taken;
    // Only code that never ends has no meeting place within a path that has one.
    if (reconverge == kNoBlock) reconverge = top().reconverge;
    // Lanes that already meet where this path ends need no second meeting place.
    if (top().reconverge == reconverge)
      --paths_.depth;
    else
      top().block = reconverge;
    if (next != reconverge) push({next, others, reconverge});
    if (target != reconverge) push({target, taken, reconverge});
    meet();
  }

  /// The lanes are gone for good; those of the top that stay go on at `next`.
  void leave(uint32_t lanes, uint32_t next) {
    top().block = next;
    for (uint32_t i = 0; i < paths_.depth; ++i) paths_.entries[i].mask &= ~lanes;
    meet();
  }

 private:
  Paths::Entry& top() const { return paths_.entries[paths_.depth - 1]; }
  void push(Paths::Entry entry) { paths_.entries[paths_.depth++] = entry; }

  /// Ends paths that have no lanes left or have arrived.
  void meet() {
    while (paths_.depth != 0) {
      const Paths::Entry& entry = top();
      if (entry.mask != 0 && (entry.block != entry.reconverge || entry.block == kNoBlock)) return;
      --paths_.depth;
    }
  }

  Paths& paths_;
};

}  // namespace tilestep::simt::TILESTEP_ENGINE
