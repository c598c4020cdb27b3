// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "simt/check/sync_graph.h"
#include "simt/machine.h"

namespace tilestep::simt {

/// Releases and acquires of one block's threads through atomic operations with fences. Used for one
/// block after the other. Times are CheckState::time.
class BlockSync {
 public:
  BlockSync(SyncGraph& graph, uint32_t threads);

  /// A thread and the time of its access. Barriers order accesses of the block before `floor`, and
  /// of the warp before `warpFloor`, before this access.
  struct When {
    uint32_t thread = 0;
    uint64_t time = 0, floor = 0, warpFloor = 0;
    /// Lanes of the warp have shared what they acquired before this time, by a shuffle or vote.
    uint64_t told = 0;
  };
  void startBlock(uint64_t number, uint64_t time);
  /// All or some warps have passed a barrier. All warps now count as having acquired what any
  /// thread acquired before, which is too generous for a barrier of some warps and may hide a
  /// hazard.
  void barrier(uint64_t floor);
  void fence(const When& when, bool ofBlockOnly);
  /// A thread has written a place for which other threads may wait, if `ofBlock` in shared memory.
  void wrote(const When& when, uint64_t place, bool ofBlock);
  /// Whether an operation releases without a preceding fence, and only to threads of its block.
  struct Manner {
    bool withoutFence = false, ofBlock = false;
  };
  void release(const When& when, uint64_t place, Manner manner);
  /// Whether an operation acquires only from threads of its block, and in a loop that waits.
  struct Heed {
    bool ofBlock = false, waits = false;
  };
  void acquire(const When& when, uint64_t place, Heed heed);
  [[nodiscard]] bool orders(const SyncGraph::Access& access, const When& now) const;
  /// Whether the access precedes a write for which the thread `now` has waited, or some thread has
  /// waited before a barrier. `ofBlock` means in shared memory.
  [[nodiscard]] bool wasSeen(const SyncGraph::Access& access, uint64_t place, bool ofBlock,
                             const When& now) const;

 private:
  using Chain = std::shared_ptr<const SyncGraph::Chain>;
  struct Pending {
    uint32_t thread = 0;
    uint64_t time = 0;
    SyncGraph::Taken taken;
    /// SyncGraph::writes() at the end of the thread's last wait at this place; 0 if it never waited.
    uint64_t waited = 0;
  };
  /// A thread's latest release, acquire and orders(), because waiting loops repeat them unchanged.
  struct Latest {
    struct State {
      uint64_t place = 0, changes = 0, warpFloor = 0, told = 0;
      bool operator==(const State&) const = default;
    };
    State handedOn;
    SyncGraph::Bounds inBlock, inGrid;
    SyncGraph::Fenced fencedInBlock, fencedInGrid;
    bool ofBlock = false;
    size_t pending = 0;  ///< Probable index of the thread's entry in its warp's list in pending_.
    State asked;
    uint64_t releases = 0;
    SyncGraph::Access access;
    bool answer = false;
  };
  /// When::told if it adds to the thread's knowledge, else 0, so that Latest::State stays equal.
  [[nodiscard]] uint64_t toldTo(const When& when) const;
  /// Whether the thread has acquired `pending`, or a lane of its warp has and shared it.
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
  Chain known_;  ///< What the whole block has acquired.
  /// By warp: what its lanes have acquired since the last barrier.
  std::vector<std::vector<Pending>> pending_;
  /// By place: the largest Pending::waited before a barrier.
  std::unordered_map<uint64_t, uint64_t> awaited_;
  AwaitedWrites written_;  ///< Writes to shared memory.
  /// By scope (0 the block, 1 the grid) and thread: the time of the thread's latest fence.
  std::array<std::vector<uint64_t>, 2> fences_;
  /// By scope and thread: the time of the warp's or block's latest barrier before that fence.
  std::array<std::vector<uint64_t>, 2> fenceFloors_;
  std::array<std::vector<uint64_t>, 2> warpFences_;  ///< By scope and warp: its latest fence.
  /// The latest result of fencedBy for a warp (`made`), and its inputs.
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
  } counted_;                 ///< SyncGraph::count at the last query.
  uint64_t lastBarrier_ = 0;  ///< Counted from the block's start.
  /// By scope: some thread has executed a fence since the last barrier.
  std::array<bool, 2> fenced_{};
  std::array<SyncGraph::Fenced, 2> ownFenced_;  ///< Fence times at the last barrier.
  /// All accesses before this time precede a barrier, then a fence by any thread, then a barrier.
  std::array<uint64_t, 2> fencedUpTo_{};
};

}  // namespace tilestep::simt
