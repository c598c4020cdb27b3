// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace tilestep::simt {

/// The heap of malloc in device code, with CUDA's default size. Freed memory is reused as late as
/// possible, so that accesses to it are detected. Thread-safe.
class DeviceHeap {
 public:
  static constexpr uint64_t kBytes = 8 << 20;

  /// Creates the memory, which begins at this virtual address. If `watched`, maintains the bytes of
  /// written() and given() and leaves gaps between allocations. Call this first.
  void open(uint64_t address, bool watched);
  [[nodiscard]] uint8_t* memory() { return memory_.data(); }
  /// One byte per byte of the heap, 1 if written since its allocation. Null if not watched.
  [[nodiscard]] uint8_t* written() { return written_.empty() ? nullptr : written_.data(); }
  /// One byte per byte of the heap, 1 while allocated. Null if not watched. Must be read
  /// atomically.
  [[nodiscard]] const uint8_t* given() const { return given_.empty() ? nullptr : given_.data(); }

  struct Allocation {
    uint64_t address = 0;  ///< Aligned to 16 bytes; 0 if no memory is left.
    bool isUsed = false;   ///< The memory had been allocated before.
  };
  Allocation allocate(uint64_t bytes);
  enum class Release : uint8_t { done, freedBefore, notGiven };
  Release release(uint64_t address);  ///< 0 is allowed.

  struct Piece {
    uint64_t offset = 0, bytes = 0;  ///< Offset in the heap, and requested size.
    bool freed = false;
  };
  /// The allocation, possibly freed, that contains the byte at `offset` or is nearest to it.
  [[nodiscard]] std::optional<Piece> nearest(uint64_t offset) const;

 private:
  using Pieces = std::map<uint64_t, uint64_t>;  ///< Offset and bytes.
  [[nodiscard]] uint64_t taken(uint64_t bytes) const;
  [[nodiscard]] std::optional<uint64_t> roomFrom(uint64_t at, uint64_t size) const;
  void forgetFreed(uint64_t begin, uint64_t end);

  mutable std::mutex mutex_;  ///< Guards the members below.
  uint64_t address_ = 0;
  std::vector<uint8_t> memory_, written_, given_;
  Pieces pieces_, freed_;
  uint64_t next_ = 0;     ///< Where the search for free memory starts.
  uint64_t highest_ = 0;  ///< Memory from this offset on was never allocated.
};

}  // namespace tilestep::simt
