// SPDX-License-Identifier: Apache-2.0
#include "simt/run/device_heap.h"

#include <algorithm>
#include <iterator>

namespace tilestep::simt {
namespace {

constexpr uint64_t kPieceAlignment = 16;

/// Sets bytes that other threads may read at the same time.
void fill(uint8_t* bytes, uint64_t count, uint8_t value) {
  for (uint64_t i = 0; i < count; ++i) __atomic_store_n(bytes + i, value, __ATOMIC_RELAXED);
}

}  // namespace

void DeviceHeap::open(uint64_t address, bool watched) {
  address_ = address;
  memory_.resize(kBytes);
  if (!watched) return;
  written_.resize(kBytes);
  given_.resize(kBytes);
}

/// The space that an allocation of `bytes` bytes uses, including the gap after it.
uint64_t DeviceHeap::taken(uint64_t bytes) const {
  const uint64_t whole = (bytes + kPieceAlignment - 1) / kPieceAlignment * kPieceAlignment;
  return whole + (given_.empty() ? 0 : kPieceAlignment);
}

std::optional<uint64_t> DeviceHeap::roomFrom(uint64_t at, uint64_t size) const {
  auto behind = pieces_.upper_bound(at);
  if (behind != pieces_.begin()) {
    const auto& [offset, bytes] = *std::prev(behind);
    at = std::max(at, offset + taken(bytes));
  }
  for (; behind != pieces_.end(); ++behind) {
    if (behind->first - at >= size) return at;
    at = behind->first + taken(behind->second);
  }
  if (at + size > memory_.size()) return std::nullopt;
  return at;
}

/// Removes freed pieces that overlap [begin, end), which is being allocated again.
void DeviceHeap::forgetFreed(uint64_t begin, uint64_t end) {
  auto at = freed_.lower_bound(begin);
  if (at != freed_.begin() && std::prev(at)->first + std::prev(at)->second > begin) --at;
  while (at != freed_.end() && at->first < end) at = freed_.erase(at);
}

DeviceHeap::Allocation DeviceHeap::allocate(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0 || bytes > memory_.size()) return {};
  const uint64_t size = taken(bytes);
  std::optional<uint64_t> at = roomFrom(next_, size);
  if (!at) at = roomFrom(0, size);
  if (!at) return {};
  forgetFreed(*at, *at + size);
  pieces_[*at] = bytes;
  next_ = *at + size;
  const bool isUsed = *at < highest_;
  highest_ = std::max(highest_, next_);
  if (!given_.empty()) {
    if (isUsed) fill(&written_[*at], bytes, 0);
    fill(&given_[*at], bytes, 1);
  }
  return {address_ + *at, isUsed};
}

DeviceHeap::Release DeviceHeap::release(uint64_t address) {
  const std::lock_guard lock(mutex_);
  if (address == 0) return Release::done;
  const auto piece = pieces_.find(address - address_);
  if (piece == pieces_.end()) {
    return freed_.contains(address - address_) ? Release::freedBefore : Release::notGiven;
  }
  if (!given_.empty()) fill(&given_[piece->first], piece->second, 0);
  freed_.insert(*piece);
  pieces_.erase(piece);
  return Release::done;
}

std::optional<DeviceHeap::Piece> DeviceHeap::nearest(uint64_t offset) const {
  const std::lock_guard lock(mutex_);
  std::optional<Piece> nearest;
  uint64_t least = ~uint64_t{0};
  const auto consider = [&](const Pieces& pieces, Pieces::const_iterator at) {
    if (at == pieces.end()) return;
    const auto [begin, bytes] = *at;
    const uint64_t distance = offset < begin           ? begin - offset
                              : offset - begin < bytes ? 0
                                                       : offset - begin - bytes + 1;
    if (distance >= least) return;
    least = distance;
    nearest = Piece{begin, bytes, &pieces == &freed_};
  };
  for (const Pieces* pieces : {&pieces_, &freed_}) {
    const auto behind = pieces->upper_bound(offset);
    if (behind != pieces->begin()) consider(*pieces, std::prev(behind));
    consider(*pieces, behind);
  }
  return nearest;
}

}  // namespace tilestep::simt
