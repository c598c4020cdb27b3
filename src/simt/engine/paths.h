// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/rows.h"

/// Decides which lanes of a warp run next. Only this file knows how a warp diverges. A path that
/// splits waits at the branch's immediate post-dominator until its children have arrived there
/// (Fung et al., MICRO 2007). Paths with the same reconvergence point are siblings. The sibling
/// that is first in the program runs, together with all siblings at the same block, so an
/// else-block to which several branches lead runs once (Diamos et al., SIMD Re-Convergence at
/// Thread Frontiers, MICRO 2011). If a path spins or waits, the paths instead take turns, starting
/// with the youngest, until all lanes have reconverged. After each round of turns, lanes that have
/// arrived at a reconvergence point continue without the others.
namespace tilestep::simt::TILESTEP_ENGINE {

class PathTree {
 public:
  explicit PathTree(Paths& paths) : p_(paths) {}

  void start(uint32_t mask) {
    p_.count = 0;
    p_.patience = kPatience;
    p_.spun = p_.turns = false;
    push({0, mask, kNoBlock, kNoPath, 0, Path::Wait::nothing, false, 0, 0, 0});
    p_.current = 0;
  }
  [[nodiscard]] bool canRun() const { return p_.current != kNoPath; }
  [[nodiscard]] bool finished() const { return p_.count == 0; }
  [[nodiscard]] Path& now() const { return p_.paths[p_.current]; }

  void go(uint32_t block) {
    Path& path = now();
    path.block = block;
    if (block == path.reconverge && block != kNoBlock) return end();
    if (p_.count > 1 && !p_.turns) regroup();
  }

  /// Lanes `taken` continue at `target`, others at `next`, and all reconverge at `reconverge`.
  void split(uint32_t taken, uint32_t target, uint32_t next, uint32_t reconverge) {
    const uint32_t others = now().mask & ~taken;
    const uint32_t parent = open(reconverge);
    if (next != reconverge) add(parent, next, others, reconverge);
    if (target != reconverge) add(parent, target, taken, reconverge);
    close(parent);
  }

  /// Like split(), but either side may run first, and runs as far as it can before the other side.
  void splitInAnyOrder(uint32_t taken, uint32_t target, uint32_t next, uint32_t reconverge,
                       bool othersFirst) {
    p_.turns = true;
    if (othersFirst)
      split(now().mask & ~taken, next, target, reconverge);
    else
      split(taken, target, next, reconverge);
  }
  /// Splits the path into `lanes`, which run first, and the others, although all continue at
  /// `block`. They reconverge at the end of this path or at a barrier.
  void part(uint32_t lanes, uint32_t block) {
    const uint32_t others = now().mask & ~lanes;
    uint32_t meeting = kNoBlock;
    const uint32_t parent = open(meeting);
    add(parent, block, others, meeting);
    add(parent, block, lanes, meeting);
    p_.turns = true;
    close(parent);
  }
  [[nodiscard]] uint32_t count() const { return p_.count; }

  /// Prepares for children that reconverge at `reconverge`, and returns their parent. The caller
  /// then calls add() for each child and close() with the parent.
  uint32_t open(uint32_t& reconverge) {
    Path& path = now();
    // An endless loop has no reconvergence point, so its lanes reconverge where this path ends.
    if (reconverge == kNoBlock) reconverge = path.reconverge;
    if (path.reconverge != reconverge) {
      path.block = reconverge;
      return p_.current;
    }
    // The children reconverge where this path ends, so they replace it.
    const uint32_t parent = path.parent;
    remove(p_.current);
    if (parent != kNoPath) --p_.paths[parent].children;
    return parent;
  }
  void add(uint32_t parent, uint32_t block, uint32_t mask, uint32_t reconverge) {
    if (parent != kNoPath) ++p_.paths[parent].children;
    push({block, mask, reconverge, parent, 0, Path::Wait::nothing, false, 0, 0, 0});
  }
  /// Like add(), for a child that waits at `block` for the lanes `members`.
  void addWaiting(uint32_t parent, uint32_t block, uint32_t mask, uint32_t reconverge,
                  uint32_t members) {
    add(parent, block, mask, reconverge);
    p_.paths[p_.count - 1].wait = Path::Wait::together;
    p_.paths[p_.count - 1].members = members;
  }
  void close(uint32_t parent) {
    if (parent != kNoPath && p_.paths[parent].children == 0) return ripen(parent);
    choose();
  }

  /// Returns false if there is no space for another call.
  bool call(uint32_t target, uint32_t next) {
    if (p_.count + kMostSplits >= p_.capacity) return false;
    Path& path = now();
    path.block = next;
    path.called = true;
    add(p_.current, target, path.mask, kNoBlock);
    p_.current = p_.count - 1;
    return true;
  }

  /// Like call(), for some lanes of the path. Others stay at the call, and all reconverge at
  /// `next`.
  bool callApart(uint32_t lanes, uint32_t target, uint32_t next) {
    if (p_.count + kMostSplits >= p_.capacity) return false;
    const uint32_t self = now().block, others = now().mask & ~lanes;
    uint32_t meeting = next;
    const uint32_t parent = open(meeting);
    add(parent, self, others, next);
    add(parent, next, lanes, next);
    const uint32_t caller = p_.count - 1;
    p_.paths[caller].called = true;
    add(caller, target, lanes, kNoBlock);
    p_.current = p_.count - 1;
    return true;
  }

  /// Removes lanes that have exited. The other lanes of the path continue at `next`.
  void leave(uint32_t lanes, uint32_t next) {
    for (uint32_t i = 0; i < p_.count; ++i) p_.paths[i].mask &= ~lanes;
    stay(next);
  }
  /// Removes lanes that return from the call. Other lanes of the path continue at `next`.
  void back(uint32_t lanes, uint32_t next) {
    for (uint32_t i = p_.current; i != kNoPath && !p_.paths[i].called; i = p_.paths[i].parent) {
      p_.paths[i].mask &= ~lanes;
    }
    stay(next);
  }

  void wait(Path::Wait what) {
    now().wait = what;
    choose();
  }

  /// Chooses the current path. While paths take turns, this is the youngest path that can run;
  /// otherwise, that path or a sibling of it, whichever is first in the program. kNoPath if no path
  /// can run.
  void choose() {
    if (p_.count <= 1) p_.turns = false;
    p_.current = kNoPath;
    for (uint32_t i = p_.count; i-- > 0;) {
      if (!isReady(p_.paths[i])) continue;
      p_.current = i;
      if (!p_.turns) regroup();
      return;
    }
  }

  /// The current path has used up its turn, so the next older path gets a turn. After the oldest,
  /// lanes that wait at a reconvergence point continue without the others, and the round restarts.
  void yield() {
    p_.patience = kPatience;
    p_.spun = false;
    p_.turns = p_.count > 1;
    mergeEqual();
    for (uint32_t i = p_.current; i-- > 0;) {
      if (!isReady(p_.paths[i])) continue;
      p_.current = i;
      return;
    }
    releaseArrived();
  }

  /// Lets waiting paths for which `f(path)` is true continue after their block. Returns whether any
  /// do.
  template <class F>
  bool wake(const DecodedBlock* blocks, F f) {
    bool woken = false;
    for (uint32_t i = p_.count; i-- > 0;) {
      if (p_.paths[i].wait == Path::Wait::nothing || !f(p_.paths[i])) continue;
      p_.paths[i].wait = Path::Wait::nothing;
      p_.current = i;
      go(blocks[p_.paths[i].block].next);
      woken = true;
      if (i > p_.count) i = p_.count;
    }
    if (woken) mergeEqual();
    choose();
    return woken;
  }

  template <class Visit>
  void forEach(Visit visit) const {
    for (uint32_t i = 0; i < p_.count; ++i) visit(p_.paths[i]);
  }

  /// Ends the lanes that wait at a reconvergence point or after a call if only returns lie ahead of
  /// them. Calls `left(path, lanes)` for each such point. Returns false if there are none.
  template <class F>
  bool letReturn(const DecodedBlock* blocks, F left) {
    bool any = false;
    for (uint32_t i = 0; i < p_.count; ++i) {
      const uint32_t lanes = p_.paths[i].children == 0 ? 0 : arrivedAt(i);
      if (lanes == 0 || !onlyReturns(blocks, i)) continue;
      left(i, lanes);
      for (uint32_t k = 0; k < p_.count; ++k) p_.paths[k].mask &= ~lanes;
      any = true;
    }
    return any;
  }
  [[nodiscard]] const Path& at(uint32_t path) const { return p_.paths[path]; }
  /// The path that called the function in which `path` is; kNoPath if that is the kernel.
  [[nodiscard]] uint32_t callerOf(uint32_t path) const {
    do path = p_.paths[path].parent;
    while (path != kNoPath && !p_.paths[path].called);
    return path;
  }

 private:
  /// Makes the first sibling in the program the current path, and merges siblings at its block into
  /// it.
  void regroup() {
    const uint32_t parent = now().parent, meeting = now().reconverge;
    const auto isSibling = [&](const Path& path) {
      return isReady(path) && path.parent == parent && path.reconverge == meeting;
    };
    for (uint32_t i = 0; i < p_.count; ++i) {
      if (isSibling(p_.paths[i]) && p_.paths[i].block < now().block) p_.current = i;
    }
    for (uint32_t k = p_.count; k-- > 0;) {
      if (k == p_.current || !isSibling(p_.paths[k]) || p_.paths[k].block != now().block) continue;
      now().mask |= p_.paths[k].mask;
      if (parent != kNoPath) --p_.paths[parent].children;
      remove(k);
      if (p_.current > k) --p_.current;
    }
  }

  static bool isReady(const Path& path) {
    return path.children == 0 && path.wait == Path::Wait::nothing;
  }
  void push(Path path) { p_.paths[p_.count++] = path; }

  void remove(uint32_t index) {
    --p_.count;
    for (uint32_t i = index; i < p_.count; ++i) {
      p_.paths[i] = p_.paths[i + 1];
      if (p_.paths[i].parent != kNoPath && p_.paths[i].parent > index) --p_.paths[i].parent;
    }
  }

  void stay(uint32_t next) {
    Path& path = now();
    path.block = next;
    if (path.mask == 0 || (next == path.reconverge && next != kNoBlock)) return end();
    if (p_.count > 1 && !p_.turns) regroup();
  }

  /// The current path has arrived at its end or has no lanes left.
  void end() {
    const uint32_t parent = now().parent;
    remove(p_.current);
    p_.patience = kPatience;
    if (parent != kNoPath && --p_.paths[parent].children == 0) return ripen(parent);
    choose();
  }

  /// Continues a path after all of its children have ended.
  void ripen(uint32_t index) {
    if (p_.count <= 1) p_.turns = false;
    Path& path = p_.paths[index];
    path.called = false;
    p_.current = index;
    if (path.mask == 0 || (path.block == path.reconverge && path.block != kNoBlock)) return end();
    if (p_.count > 1 && !p_.turns) regroup();
  }

  /// The lanes of a path that wait for the others at its reconvergence point or after its call.
  [[nodiscard]] uint32_t arrivedAt(uint32_t index) const {
    uint32_t under = 0;
    for (uint32_t k = index + 1; k < p_.count; ++k) {
      if (p_.paths[k].parent == index) under |= p_.paths[k].mask;
    }
    return p_.paths[index].mask & ~under;
  }

  /// Whether only returns are ahead, from a path's block through all callers to the kernel's end.
  [[nodiscard]] bool onlyReturns(const DecodedBlock* blocks, uint32_t path) const {
    while (path != kNoPath && blocks[p_.paths[path].block].ahead == Ahead::back) {
      path = callerOf(path);
    }
    return path != kNoPath && blocks[p_.paths[path].block].ahead == Ahead::exit;
  }

  /// Lanes that wait at a reconvergence point become a separate path, without the lanes that have
  /// not arrived.
  void releaseArrived() {
    for (uint32_t i = p_.count; i-- > 0;) {
      if (p_.paths[i].children == 0) continue;
      const Path waiting = p_.paths[i];
      const uint32_t arrived = arrivedAt(i);
      if (arrived == 0) continue;
      p_.paths[i].mask = waiting.mask & ~arrived;
      if (waiting.block == waiting.reconverge && waiting.block != kNoBlock) continue;
      add(waiting.parent, waiting.block, arrived, waiting.reconverge);
    }
    dissolve();
    choose();
  }

  /// Replaces a path by its only child, which has all its lanes and gets its reconvergence point.
  void dissolve() {
    for (uint32_t i = p_.count; i-- > 0;) {
      if (p_.paths[i].children != 1 || p_.paths[i].called) continue;
      for (uint32_t k = i + 1; k < p_.count; ++k) {
        if (p_.paths[k].parent != i || p_.paths[k].mask != p_.paths[i].mask) continue;
        p_.paths[k].parent = p_.paths[i].parent;
        p_.paths[k].reconverge = p_.paths[i].reconverge;
        remove(i);
        break;
      }
    }
  }

  /// Merges paths with the same block, parent and reconvergence point.
  void mergeEqual() {
    for (uint32_t i = 0; i < p_.count; ++i) {
      for (uint32_t k = p_.count; k-- > i + 1;) {
        const Path& a = p_.paths[i];
        const Path& b = p_.paths[k];
        if (!isReady(a) || !isReady(b) || a.block != b.block || a.parent != b.parent ||
            a.reconverge != b.reconverge) {
          continue;
        }
        p_.paths[i].mask |= b.mask;
        if (a.parent != kNoPath) --p_.paths[a.parent].children;
        remove(k);
        if (p_.current == k)
          p_.current = i;
        else if (p_.current != kNoPath && p_.current > k)
          --p_.current;
      }
    }
  }

  Paths& p_;
};

}  // namespace tilestep::simt::TILESTEP_ENGINE
