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
/// followed by an atomic operation releases what the thread had done and acquired; an atomic
/// operation on the same place acquires it. This is deliberately generous: acquiring needs no
/// fence, and the value read need not be the one written, so that locks, flags and counters of
/// finished blocks, as they are written in practice, give no false alarm. For the place itself, no
/// fence is needed: a thread that waited there until it was written reads nothing older.
/// Thread-safe.
class SyncGraph {
 public:
  /// The released accesses of a block: those before these times, which count from the block's
  /// start.
  struct Bounds {
    uint64_t others = 0;  ///< For threads in other warps.
    uint64_t warp = 0;    ///< For lanes of the same warp.
    uint64_t own = 0;
    [[nodiscard]] bool any() const { return (others | warp | own) != 0; }
    bool operator==(const Bounds&) const = default;
  };
  /// Everything that was released at a place so far; `ofBlock`: the part released by threads of the
  /// block.
  struct Taken {
    uint64_t place = 0;
    uint32_t count = 0;
    bool ofBlock = false;
  };
  /// Acquired releases, the latest first. Shared by all that acquired them.
  struct Chain {
    Taken taken;
    std::shared_ptr<const Chain> before;
  };
  /// By thread of a block: its own accesses before these times (counted from the block's start)
  /// precede one of its fences and a barrier after that fence. Null: none.
  using Fenced = std::shared_ptr<const std::vector<uint64_t>>;
  struct Release {
    uint64_t block = 0;
    uint32_t thread = 0;
    Bounds inBlock, inGrid;  ///< For threads of the block; for others.
    Fenced fencedInBlock, fencedInGrid;
    bool ofBlock = false;  ///< Other blocks learn nothing from it.
    std::shared_ptr<const Chain> known;
  };
  struct Access {
    uint64_t block = 0;
    uint32_t thread = 0;
    uint64_t time = 0;
    bool operator==(const Access&) const = default;
  };

  void release(uint64_t place, Release release);
  /// The number of the next write to a place for which others may wait, counted from 1.
  uint64_t nextWrite() { return writes_.fetch_add(1, std::memory_order_acq_rel); }
  [[nodiscard]] uint64_t writes() const { return writes_.load(std::memory_order_acquire); }
  /// A thread has written such a place in global memory.
  void wrote(const Access& write, uint64_t place);
  /// Whether the access precedes a wait at its place that ended when writes() was `waited`: its
  /// thread has written the place since the access and before the end of the wait.
  [[nodiscard]] bool wasSeen(const Access& access, uint64_t place, uint64_t waited) const;
  [[nodiscard]] uint32_t count(uint64_t place) const;
  /// The count for all places. No answer changes while this count does not.
  [[nodiscard]] uint64_t releases() const { return releases_.load(std::memory_order_acquire); }
  /// Whether a thread of block `block` that knows `known` comes after the access.
  [[nodiscard]] bool orders(const Access& access, uint64_t block,
                            const std::shared_ptr<const Chain>& known) const;

 private:
  struct Place {
    std::vector<Release> log;
    std::unordered_map<uint64_t, std::vector<uint32_t>> byBlock;
    bool scoped = false;  ///< Some of them have block scope.
  };
  [[nodiscard]] static bool tells(const Place& place, const Taken& taken, const Access& access,
                                  uint64_t taker);

  std::atomic<uint64_t> releases_{0}, writes_{1};
  mutable std::mutex mutex_;
  std::unordered_map<uint64_t, Place> places_;
  AwaitedWrites written_;
};

}  // namespace tilestep::simt
