// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simt/check/sync_graph.h"
#include "simt/machine.h"

namespace tilestep::simt {

/// Releases and acquires of one block's threads through atomic operations with fences.
/// Serves one block after the other. Times are the worker's.
class BlockSync {
 public:
  BlockSync(SyncGraph& graph, uint32_t threads);

  /// A thread at an instruction, and the accesses of its block and its warp that barriers have
  /// ordered before it.
  struct When {
    uint32_t thread = 0;
    uint64_t time = 0, floor = 0, warpFloor = 0;
    /// Lanes of its warp have shared everything acquired before this time by a shuffle or a vote.
    uint64_t told = 0;
  };
  void startBlock(uint64_t number, uint64_t time);
  /// All warps, or some, have passed a barrier: what one of them has acquired, all have acquired.
  /// For some warps this assumes too much order, which may hide a hazard.
  void barrier(uint64_t floor);
  void fence(const When& when, bool ofBlockOnly);
  /// A thread has written a place for which others may wait. `ofBlock`: in shared memory.
  void wrote(const When& when, uint64_t place, bool ofBlock);
  /// How an operation releases: by itself, without a fence; only to threads of its block.
  struct Manner {
    bool withoutFence = false, ofBlock = false;
  };
  void release(const When& when, uint64_t place, Manner manner);
  /// How an operation acquires: only from threads of its block; in a waiting loop.
  struct Heed {
    bool ofBlock = false, waits = false;
  };
  void acquire(const When& when, uint64_t place, Heed heed);
  [[nodiscard]] bool orders(const SyncGraph::Access& access, const When& now) const;
  /// Whether the access precedes an event for which the thread has waited at the access's place,
  /// itself or before a barrier. `ofBlock`: in shared memory.
  [[nodiscard]] bool wasSeen(const SyncGraph::Access& access, uint64_t place, bool ofBlock,
                             const When& now) const;

 private:
  using Chain = std::shared_ptr<const SyncGraph::Chain>;
  struct Pending {
    uint32_t thread = 0;
    uint64_t time = 0;
    SyncGraph::Taken taken;
    uint64_t waited =
        0;  ///< SyncGraph::writes() at the end of its last wait there; 0: it has not waited.
  };
  /// The latest release, acquire and question of a thread. A waiting loop repeats them unchanged.
  struct Latest {
    struct State {
      uint64_t place = 0, changes = 0, warpFloor = 0, told = 0;
      bool operator==(const State&) const = default;
    };
    State handedOn;
    SyncGraph::Bounds inBlock, inGrid;
    SyncGraph::Fenced fencedInBlock, fencedInGrid;
    bool ofBlock = false;
    size_t pending = 0;  ///< Its probable index among those of its warp in pending_.
    State asked;
    uint64_t releases = 0;
    SyncGraph::Access access;
    bool answer = false;
  };
  /// When.told, if another lane has acquired something since; else 0, so that nothing changes.
  [[nodiscard]] uint64_t toldTo(const When& when) const;
  /// Whether the thread has acquired it, or a lane of its warp has and has shared it. `pending`: of
  /// that warp.
  [[nodiscard]] static bool isKnown(const Pending& pending, const When& when);
  [[nodiscard]] Chain knownTo(const When& when) const;
  [[nodiscard]] uint32_t countAt(uint64_t place);
  [[nodiscard]] const std::vector<Pending>& ofWarp(const When& when) const {
    return pending_[when.thread / kLanes];
  }
  [[nodiscard]] Pending* pendingOf(const When& when, uint64_t place, bool ofBlock);
  [[nodiscard]] SyncGraph::Fenced fencedBy(const When& when, size_t scope);
  [[nodiscard]] SyncGraph::Bounds boundsOf(const When& when, size_t scope, bool withoutFence) const;

  SyncGraph& graph_;
  uint64_t block_ = 0, start_ = 0;
  Chain known_;  ///< Acquired by the whole block.
  /// By warp: acquired since the last barrier.
  std::vector<std::vector<Pending>> pending_;
  /// By place: Pending::waited of the last wait before a barrier.
  std::unordered_map<uint64_t, uint64_t> awaited_;
  AwaitedWrites written_;  ///< Those to shared memory.
  /// By scope (the block; the grid) and thread: the accesses before its latest fence.
  std::array<std::vector<uint64_t>, 2> fences_;
  /// Likewise the latest barrier of the warp or the block before that fence.
  std::array<std::vector<uint64_t>, 2> fenceFloors_;
  std::array<std::vector<uint64_t>, 2> warpFences_;  ///< The latest of each warp.
  /// The latest result of fencedBy for a warp, and its input.
  struct OfWarp {
    uint64_t fence = 0, floor = 0;
    SyncGraph::Fenced ofBlock, made;
  };
  std::array<std::vector<OfWarp>, 2> ofWarps_;
  uint64_t changes_ = 1;                ///< Counts changes of known_ and pending_.
  mutable std::vector<Latest> latest_;  ///< By thread.
  struct {
    uint64_t place = 0, releases = ~uint64_t{0};
    uint32_t count = 0;
  } counted_;                                   ///< SyncGraph::count at the last query.
  uint64_t lastBarrier_ = 0;                    ///< Its time, from the block's start.
  std::array<bool, 2> fenced_{};                ///< Some thread has been, since the last barrier.
  std::array<SyncGraph::Fenced, 2> ownFenced_;  ///< By fences before the last barrier.
  /// All accesses before this time precede a barrier, then a fence by any thread, then another
  /// barrier.
  std::array<uint64_t, 2> fencedUpTo_{};
};

}  // namespace tilestep::simt
