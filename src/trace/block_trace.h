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

struct SharedArray {
  std::string name;     ///< In the source: "Mds".
  uint32_t offset = 0;  ///< Bytes from the block's shared window.
  uint32_t bytes = 0;
  uint32_t columns = 0;  ///< Elements per row if front matter gives them, else 0.
};

/// Where a shared-memory access is: the index of an array and the offset in it, or -1 and the
/// offset from the start of the block's shared window.
struct SharedPlace {
  int16_t buffer = -1;
  uint32_t offset = 0;
};
/// Where an access to `bytes` bytes at `offset` of the shared window is.
[[nodiscard]] SharedPlace placeIn(const std::vector<SharedArray>& arrays, uint64_t offset,
                                  uint32_t bytes);

/// The events of one block, as columns. Append-only, bounded in size, immutable after finish().
class BlockTrace {
 public:
  static constexpr size_t kDefaultCap = size_t{64} << 20;  ///< Bytes.
  static constexpr uint32_t kNoLanes = 0xffffffff;

  explicit BlockTrace(size_t capBytes = kDefaultCap);
  // Not inline, because every file that uses a BlockTrace would compile them.
  BlockTrace(const BlockTrace& other);
  BlockTrace(BlockTrace&& other) noexcept;
  BlockTrace& operator=(const BlockTrace& other);
  BlockTrace& operator=(BlockTrace&& other) noexcept;
  ~BlockTrace();

  /// Copies the event, whose offsets and values must each be empty or have an element per active
  /// lane. Returns false once the cap is reached. The recording is then truncated() and accepts no
  /// more events, so that it stays a prefix without gaps.
  bool append(const TraceEvent& event);
  /// Records that events are missing after the last one. No more events are accepted.
  void cutShort() { truncated_ = true; }
  /// Sorts events by (epoch, warp, sequence). Stable and idempotent.
  void finish();

  [[nodiscard]] size_t size() const { return epoch_.size(); }
  /// A view into this recording; valid until it is changed or destroyed.
  [[nodiscard]] TraceEvent event(size_t index) const;
  [[nodiscard]] bool truncated() const { return truncated_; }
  [[nodiscard]] size_t bytes() const;

  Dim3 block{0, 0, 0};  ///< Index in the grid.
  Dim3 blockShape;      ///< Threads along x, y, z.
  bool uneven = false;  ///< Live warps were in different epochs.
  std::string device;   ///< The recording device: "simt" or "cuda:0".
  std::vector<SharedArray> sharedArrays;
  uint32_t accumulators = 0;  ///< Accumulators per thread; 0 if none were recognised.
  /// Pairs (consumer, load) of instructions. The value that the consumer stores or accumulates may
  /// come from the load.
  std::vector<std::pair<uint32_t, uint32_t>> feeds;
  /// Sorted pairs (accumulator, store instruction). The store writes the accumulator's value to
  /// global memory in the threads that reach it. An accumulator has no pair if it is not written to
  /// global memory or its store was not recognised.
  std::vector<std::pair<uint32_t, uint32_t>> sumStores;

  /// Little-endian columns for messages and files. `fromColumns` checks every length, index and
  /// enum before it uses them: warps and lanes must be in the block, and each buffer must be -1 or
  /// the index of one of `sharedArrays` (shared memory) or `accumulators` (accumulates).
  struct Column {
    std::string name;
    std::vector<std::byte> bytes;
  };
  [[nodiscard]] std::vector<Column> columns() const;
  static Result<BlockTrace> fromColumns(const std::vector<Column>& columns);

 private:
  size_t cap_;
  bool truncated_ = false;
  /// laneStart_ and valueStart_ are the indices of the event's first lane in offsets_ and of its
  /// first byte in values_, or kNoLanes if it has none.
  std::vector<uint32_t> epoch_, warp_, sequence_, instruction_, line_, mask_, laneStart_,
      valueStart_;
  std::vector<uint8_t> operation_, space_, width_;
  std::vector<int16_t> buffer_;
  std::vector<uint64_t> clock_;
  std::vector<uint32_t> offsets_;
  std::vector<std::byte> values_;
};

}  // namespace tilestep::trace
