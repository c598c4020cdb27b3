// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/dim3.h"
#include "base/result.h"
#include "trace/event.h"

namespace tilestep::trace {

/// A shared array of the traced kernel: its name in the source and its place in shared memory.
struct SharedArray {
  std::string name;     ///< "Mds"
  uint32_t offset = 0;  ///< Bytes from the block's shared window.
  uint32_t bytes = 0;
  uint32_t columns = 0;  ///< Elements per row if front matter names them, else 0.
};

/// The location of a shared-memory access: in one of the arrays, or in none (-1), with the offset
/// from the start of the block's shared window.
struct SharedPlace {
  int16_t buffer = -1;
  uint32_t offset = 0;
};
/// The place of an access to `bytes` bytes at `offset` of the window.
[[nodiscard]] SharedPlace placeIn(const std::vector<SharedArray>& arrays, uint64_t offset,
                                  uint32_t bytes);

/// The chosen block's events as columns. Append-only and bounded; a value once it is finished.
class BlockTrace {
 public:
  static constexpr size_t kDefaultCap = size_t{64} << 20;  ///< Bytes.
  static constexpr uint32_t kNoLanes = 0xffffffff;

  explicit BlockTrace(size_t capBytes = kDefaultCap);
  // Defined in recording.cpp; inline, they would be compiled into every file that holds a
  // BlockTrace.
  BlockTrace(const BlockTrace& other);
  BlockTrace(BlockTrace&& other) noexcept;
  BlockTrace& operator=(const BlockTrace& other);
  BlockTrace& operator=(BlockTrace&& other) noexcept;
  ~BlockTrace();

  /// Copies the event, whose offsets and values are each empty or complete (one entry per active
  /// lane). False once the cap is reached: the recording is then `truncated` and accepts no more
  /// events, so that it stays a prefix without gaps.
  bool append(const TraceEvent& event);
  /// Marks that events are missing after the last one. No more are accepted.
  void cutShort() { truncated_ = true; }
  /// Sorts by (epoch, warp, sequence). Stable, idempotent.
  void finish();

  [[nodiscard]] size_t size() const { return epoch_.size(); }
  /// A view into this recording; valid until it is changed or destroyed.
  [[nodiscard]] TraceEvent event(size_t index) const;
  [[nodiscard]] bool truncated() const { return truncated_; }
  [[nodiscard]] size_t bytes() const;

  Dim3 block{0, 0, 0};  ///< Which block this is: indices, not a size.
  Dim3 blockShape;      ///< Threads along x, y, z.
  bool uneven = false;  ///< Live warps disagreed about the epoch.
  std::string device;   ///< "simt" or "cuda:0": the device that recorded it.
  std::vector<SharedArray> sharedArrays;
  uint32_t accumulators = 0;  ///< Accumulators per thread; 0: none were recognised.
  /// (consumer instruction, load instruction): the value stored or accumulated by the first may
  /// come from the second.
  std::vector<std::pair<uint32_t, uint32_t>> feeds;
  /// (accumulator, store instruction): the store writes the accumulator's value to global memory,
  /// for the threads that reach it. Sorted. An accumulator that is not written to global memory, or
  /// in a way that was not recognised, has no pair.
  std::vector<std::pair<uint32_t, uint32_t>> sumStores;

  /// Little-endian columns for the wire and for files. `fromColumns` checks every length, index and
  /// enum before it uses them: warps and lanes lie in the block, shared events name one of
  /// `sharedArrays` or -1, accumulates one of the `accumulators` or -1.
  struct Column {
    std::string name;
    std::vector<std::byte> bytes;
  };
  [[nodiscard]] std::vector<Column> columns() const;
  static Result<BlockTrace> fromColumns(const std::vector<Column>& columns);

 private:
  size_t cap_;
  bool truncated_ = false;
  /// laneStart_ and valueStart_: indices of the event's first lane in offsets_ and of its first
  /// byte in values_; kNoLanes if it has none.
  std::vector<uint32_t> epoch_, warp_, sequence_, instruction_, line_, mask_, laneStart_,
      valueStart_;
  std::vector<uint8_t> operation_, space_, width_;
  std::vector<int16_t> buffer_;
  std::vector<uint64_t> clock_;
  std::vector<uint32_t> offsets_;
  std::vector<std::byte> values_;
};

}  // namespace tilestep::trace
