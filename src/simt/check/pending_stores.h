// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>

#include "simt/check/state.h"

namespace tilestep::simt {

/// Stores to global memory that workers are about to make. A store leaves marks before it writes,
/// so another worker can meet the mark while memory still holds the old value. PendingStores gives
/// that worker the new value.
class PendingStores {
 public:
  /// The largest store of a lane: a vector of four 64-bit elements.
  using LaneBytes = std::array<uint64_t, 4>;
  using Bytes = std::array<LaneBytes, 32>;

  /// The latest store of one worker, which writes the slot while all workers may read it. turn_ is
  /// odd during a write; a reader that finds it odd or changed discards what it has read.
  class Slot {
   public:
    /// `mark` is the mark of lane 0. Call this before the store leaves its marks.
    void set(Mark mark, const Bytes& bytes);
    /// Copies `count` bytes of the lane's store, starting at `part`. Returns false if the worker
    /// has begun another store, so the value is already in memory.
    bool get(Mark mark, uint32_t part, uint32_t count, uint8_t* out) const;

   private:
    std::atomic<uint64_t> turn_{0};
    std::atomic<Mark> mark_{0};
    std::array<std::array<std::atomic<uint64_t>, 4>, 32> bytes_{};
  };

  /// Creates the slot of another worker. Its address does not change.
  [[nodiscard]] Slot& add();
  /// Calls Slot::get for the worker that left the mark.
  bool find(Mark mark, uint32_t part, uint32_t count, uint8_t* out);

 private:
  std::mutex mutex_;
  std::list<Slot> slots_;
};

}  // namespace tilestep::simt
