// SPDX-License-Identifier: Apache-2.0
#include "simt/run/device_heap.h"

namespace tilestep::simt {

void DeviceHeap::open(uint64_t address) {
  address_ = address;
  memory_.resize(kBytes);
}

uint64_t DeviceHeap::allocate(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0 || bytes > memory_.size()) return 0;
  const uint64_t size = (bytes + 15) / 16 * 16;
  uint64_t at = 0;
  for (const auto& [offset, taken] : pieces_) {
    if (offset - at >= size) break;
    at = offset + taken;
  }
  if (at + size > memory_.size()) return 0;
  pieces_[at] = size;
  return address_ + at;
}

bool DeviceHeap::release(uint64_t address) {
  const std::lock_guard lock(mutex_);
  return address == 0 || pieces_.erase(address - address_) != 0;
}

}  // namespace tilestep::simt
