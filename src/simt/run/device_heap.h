// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace tilestep::simt {

/// The heap of malloc in device code, as large as CUDA's default. Freed memory is given out
/// again as late as possible, so that an access to it is found. Thread-safe.
class DeviceHeap {
 public:
  static constexpr uint64_t kBytes = 8 << 20;

  /// Makes the memory; its first byte has this virtual address. `watched`: keeps what written()
  /// and given() tell, and leaves room between allocations. Before any thread uses it.
  void open(uint64_t address, bool watched);
  [[nodiscard]] uint8_t* memory() { return memory_.data(); }
  /// One byte per byte: 1 where it was written since it was given out; null if not watched.
  [[nodiscard]] uint8_t* written() { return written_.empty() ? nullptr : written_.data(); }
  /// One byte per byte: 1 while it is given out. Null if not watched. Read it atomically.
  [[nodiscard]] const uint8_t* given() const { return given_.empty() ? nullptr : given_.data(); }

  struct Allocation {
    uint64_t address = 0;  ///< Aligned to 16 bytes; 0: there is no room.
    bool isUsed = false;   ///< The memory was given out before.
  };
  Allocation allocate(uint64_t bytes);
  enum class Release : uint8_t { done, freedBefore, notGiven };
  Release release(uint64_t address);  ///< 0 is allowed.

  struct Piece {
    uint64_t offset = 0, bytes = 0;  ///< In the heap, as it was asked for.
    bool freed = false;
  };
  /// The allocation that the byte at `offset` belongs to, or is nearest to.
  [[nodiscard]] std::optional<Piece> nearest(uint64_t offset) const;

 private:
  using Pieces = std::map<uint64_t, uint64_t>;  ///< Offset and bytes.
  [[nodiscard]] uint64_t taken(uint64_t bytes) const;
  [[nodiscard]] std::optional<uint64_t> roomFrom(uint64_t at, uint64_t size) const;
  void forgetFreed(uint64_t begin, uint64_t end);

  mutable std::mutex mutex_;  ///< Guards what follows.
  uint64_t address_ = 0;
  std::vector<uint8_t> memory_, written_, given_;
  Pieces pieces_, freed_;
  uint64_t next_ = 0;     ///< The start of the search for room.
  uint64_t highest_ = 0;  ///< Memory behind it was never given out.
};

}  // namespace tilestep::simt
