// SPDX-License-Identifier: Apache-2.0
#include "guest/guards.h"

#include <sys/mman.h>

#include <iterator>

namespace tilestep::guest {
namespace {

void protect(uint64_t begin, uint64_t end, int access) {
  mprotect(reinterpret_cast<void*>(begin), end - begin, access);
}

}  // namespace

void Guards::guard(uint64_t begin, uint64_t end, bool mayRead) {
  begin = (begin + kPage - 1) / kPage * kPage;
  end = end / kPage * kPage;
  if (begin >= end) return;
  const std::lock_guard lock(mutex_);
  // A piece that overlaps an earlier one gets no guard.
  const auto behind = pieces_.upper_bound(begin);
  if (behind != pieces_.end() && behind->first < end) return;
  if (behind != pieces_.begin() && std::prev(behind)->second.end > begin) return;
  pieces_[begin] = {end, 0};
  protect(begin, end, mayRead ? PROT_READ : PROT_NONE);
}

bool Guards::release(uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto behind = pieces_.upper_bound(address);
  if (behind == pieces_.begin()) return false;
  auto& [begin, piece] = *std::prev(behind);
  if (address >= piece.end) return false;
  const uint64_t page = address / kPage * kPage;
  // Another thread may have accessed the page at the same time.
  if (!released_.insert(page).second) return true;
  if (++piece.accesses >= kMostAccesses)
    protect(begin, piece.end, PROT_READ | PROT_WRITE);
  else
    protect(page, page + kPage, PROT_READ | PROT_WRITE);
  return true;
}

void Guards::releaseAll() {
  const std::lock_guard lock(mutex_);
  for (const auto& [begin, piece] : pieces_) protect(begin, piece.end, PROT_READ | PROT_WRITE);
  pieces_.clear();
  released_.clear();
}

}  // namespace tilestep::guest
