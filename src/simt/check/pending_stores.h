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
/// so another worker can meet the mark while memory still holds the old value. That worker finds
/// the new value here.
class PendingStores {
 public:
  /// The largest store of a lane: a vector of four 64-bit elements.
  using LaneBytes = std::array<uint64_t, 4>;
  using Bytes = std::array<LaneBytes, 32>;

  /// The latest store of one worker. Only that worker writes it, all read it: the number of turns
  /// is odd while the worker writes, and a reader that finds it odd or changed has read nothing.
  class Slot {
   public:
    /// `mark`: that of lane 0. Call before the marks are left.
    void set(Mark mark, const Bytes& bytes);
    /// Copies `count` bytes of the lane's store, starting at `part`. False: the worker has begun
    /// another store, so the value is in memory.
    bool get(Mark mark, uint32_t part, uint32_t count, uint8_t* out) const;

   private:
    std::atomic<uint64_t> turn_{0};
    std::atomic<Mark> mark_{0};
    std::array<std::array<std::atomic<uint64_t>, 4>, 32> bytes_{};
  };

  /// The slot of one more worker. Its address does not change.
  [[nodiscard]] Slot& add();
  /// As Slot::get, for the worker that left the mark.
  bool find(Mark mark, uint32_t part, uint32_t count, uint8_t* out);

 private:
  std::mutex mutex_;
  std::list<Slot> slots_;
};

}  // namespace tilestep::simt
