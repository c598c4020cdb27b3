// SPDX-License-Identifier: Apache-2.0
#include "simt/check/pending_stores.h"

#include <algorithm>
#include <cstring>

namespace tilestep::simt {

void PendingStores::Slot::set(Mark mark, const Bytes& bytes) {
  const uint64_t turn = turn_.load(std::memory_order_relaxed);
  turn_.store(turn + 1, std::memory_order_release);
  mark_.store(mark, std::memory_order_release);
  for (size_t lane = 0; lane < bytes.size(); ++lane)
    for (size_t word = 0; word < bytes[lane].size(); ++word)
      bytes_[lane][word].store(bytes[lane][word], std::memory_order_release);
  turn_.store(turn + 2, std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_release);
}

bool PendingStores::Slot::get(Mark mark, uint32_t part, uint32_t count, uint8_t* out) const {
  const uint64_t turn = turn_.load(std::memory_order_acquire);
  if (turn % 2 != 0 || mark_.load(std::memory_order_acquire) != (mark & ~kLaneMask)) return false;
  LaneBytes words{};
  const auto& stored = bytes_[mark & kLaneMask];
  for (size_t i = 0; i < words.size(); ++i) words[i] = stored[i].load(std::memory_order_acquire);
  if (turn_.load(std::memory_order_acquire) != turn) return false;
  std::memcpy(out, reinterpret_cast<const uint8_t*>(words.data()) + part, count);
  return true;
}

PendingStores::Slot& PendingStores::add() {
  const std::lock_guard lock(mutex_);
  return slots_.emplace_back();
}

bool PendingStores::find(Mark mark, uint32_t part, uint32_t count, uint8_t* out) {
  // The mark was read in relaxed order. The fence makes visible what its worker did before it.
  std::atomic_thread_fence(std::memory_order_acquire);
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(slots_,
                             [&](const Slot& slot) { return slot.get(mark, part, count, out); });
}

}  // namespace tilestep::simt
