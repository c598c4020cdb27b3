// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace tilestep::simt {

/// What malloc in device code gives out: as large as CUDA's default. Thread-safe.
class DeviceHeap {
 public:
  static constexpr uint64_t kBytes = 8 << 20;

  /// Makes the memory; its first byte has this virtual address.
  void open(uint64_t address);
  [[nodiscard]] uint8_t* memory() { return memory_.data(); }

  /// Aligned to 16 bytes; 0 where there is no room.
  uint64_t allocate(uint64_t bytes);
  /// False: not given out. 0 is allowed.
  bool release(uint64_t address);

 private:
  std::mutex mutex_;  ///< Guards what follows.
  uint64_t address_ = 0;
  std::vector<uint8_t> memory_;
  std::map<uint64_t, uint64_t> pieces_;  ///< Given out: offset and bytes.
};

}  // namespace tilestep::simt
