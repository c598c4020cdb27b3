// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "simt/check/awaited_writes.h"

namespace tilestep::simt {

/// The order that threads of a launch establish through atomic operations with fences. A fence
/// followed by an atomic operation releases what the thread had done and acquired. An atomic
/// operation on the same word acquires it. This is deliberately generous: acquiring needs no fence,
/// and the value read need not be the released one. Locks, flags and counters of finished blocks,
/// as they are written in practice, therefore give no false alarm. Accesses to the word itself need
/// no fence, because a thread that waited for a write to it reads no older value afterwards. A
/// place is a word of memory. Thread-safe.
class SyncGraph {
 public:
  /// A block's accesses before these times, counted from its start, are released.
  struct Bounds {
    uint64_t others = 0;  ///< Accesses of threads in other warps.
    uint64_t warp = 0;    ///< Accesses of lanes of the releasing warp.
    uint64_t own = 0;
    [[nodiscard]] bool any() const { return (others | warp | own) != 0; }
    bool operator==(const Bounds&) const = default;
  };
  /// The first `count` releases at a place, which a thread has acquired. If `ofBlock`, it has
  /// acquired only those by threads of its block.
  struct Taken {
    uint64_t place = 0;
    uint32_t count = 0;
    bool ofBlock = false;
  };
  /// Acquired releases, the latest first. The tail is shared by all threads that acquired it.
  struct Chain {
    Taken taken;
    std::shared_ptr<const Chain> before;
  };
  /// For each thread of a block, a time, counted from the block's start. The thread's own accesses
  /// before it precede one of its fences and then a barrier. Null if there are none.
  using Fenced = std::shared_ptr<const std::vector<uint64_t>>;
  struct Release {
    uint64_t block = 0;
    uint32_t thread = 0;
    /// `inBlock` is for acquiring threads of the block, `inGrid` for others.
    Bounds inBlock, inGrid;
    Fenced fencedInBlock, fencedInGrid;
    bool ofBlock = false;  ///< Of block scope: other blocks cannot acquire it.
    std::shared_ptr<const Chain> known;
  };
  struct Access {
    uint64_t block = 0;
    uint32_t thread = 0;
    uint64_t time = 0;
    bool operator==(const Access&) const = default;
  };

  void release(uint64_t place, Release release);
  /// The number of the next write to a place for which threads may wait, counted from 1.
  uint64_t nextWrite() { return writes_.fetch_add(1, std::memory_order_acq_rel); }
  [[nodiscard]] uint64_t writes() const { return writes_.load(std::memory_order_acquire); }
  /// A thread has written a place in global memory for which threads may wait.
  void wrote(const Access& write, uint64_t place);
  /// Whether the access precedes a wait at its place that ended when writes() was `waited`. This is
  /// true if the accessing thread has written the place after the access and before the wait ended.
  [[nodiscard]] bool wasSeen(const Access& access, uint64_t place, uint64_t waited) const;
  [[nodiscard]] uint32_t count(uint64_t place) const;
  /// The count for all places. While it is unchanged, so are the results of count() and orders().
  [[nodiscard]] uint64_t releases() const { return releases_.load(std::memory_order_acquire); }
  /// Whether a thread of block `block` that has acquired `known` is ordered after the access.
  [[nodiscard]] bool orders(const Access& access, uint64_t block,
                            const std::shared_ptr<const Chain>& known) const;

 private:
  struct Place {
    std::vector<Release> log;
    std::unordered_map<uint64_t, std::vector<uint32_t>> byBlock;
    bool scoped = false;  ///< Some of its releases have block scope.
  };
  [[nodiscard]] static bool tells(const Place& place, const Taken& taken, const Access& access,
                                  uint64_t taker);

  std::atomic<uint64_t> releases_{0}, writes_{1};
  mutable std::mutex mutex_;
  std::unordered_map<uint64_t, Place> places_;
  AwaitedWrites written_;
};

}  // namespace tilestep::simt
