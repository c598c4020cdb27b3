// SPDX-License-Identifier: Apache-2.0
#include "simt/check/sync_graph.h"

#include <algorithm>
#include <map>
#include <utility>

#include "simt/machine.h"

namespace tilestep::simt {
namespace {

/// A search that exceeds this number of steps counts as finding an order.
constexpr size_t kMostGraphSteps = 1 << 14;

bool covers(const SyncGraph::Release& release, const SyncGraph::Access& access, bool sameBlock) {
  const SyncGraph::Bounds& bounds = sameBlock ? release.inBlock : release.inGrid;
  if (access.time < bounds.others) return true;
  const SyncGraph::Fenced& fenced = sameBlock ? release.fencedInBlock : release.fencedInGrid;
  if (fenced && access.time < (*fenced)[access.thread]) return true;
  if (access.thread == release.thread) return access.time < bounds.own;
  return access.thread / kLanes == release.thread / kLanes && access.time < bounds.warp;
}

/// Whether the scopes let a thread of block `taker` acquire the release.
bool reaches(const SyncGraph::Release& release, const SyncGraph::Taken& taken, uint64_t taker) {
  return release.block == taker || !(release.ofBlock || taken.ofBlock);
}

/// How many releases of a place have been followed, by (place, viewOf).
using Followed = std::map<std::pair<uint64_t, uint64_t>, uint32_t>;

/// Acquires with equal views learn the same from a place. If no scope is the block, only the view
/// of the access's block (`asked`) differs.
uint64_t viewOf(bool scoped, const SyncGraph::Taken& taken, uint64_t taker, uint64_t asked) {
  if (!scoped) return taker == asked ? 1 : 0;
  return 2 + 2 * taker + (taken.ofBlock ? 1 : 0);
}

}  // namespace

void SyncGraph::release(uint64_t place, Release release) {
  const std::lock_guard lock(mutex_);
  Place& at = places_[place];
  at.scoped = at.scoped || release.ofBlock;
  at.byBlock[release.block].push_back(static_cast<uint32_t>(at.log.size()));
  at.log.push_back(std::move(release));
  releases_.fetch_add(1, std::memory_order_release);
}

void SyncGraph::wrote(const Access& write, uint64_t place) {
  const std::lock_guard lock(mutex_);
  written_.note({place, write.block, write.thread}, nextWrite(), write.time);
}

bool SyncGraph::wasSeen(const Access& access, uint64_t place, uint64_t waited) const {
  const std::lock_guard lock(mutex_);
  return written_.has({place, access.block, access.thread}, waited, access.time);
}

uint32_t SyncGraph::count(uint64_t place) const {
  const std::lock_guard lock(mutex_);
  const auto at = places_.find(place);
  return at == places_.end() ? 0 : static_cast<uint32_t>(at->second.log.size());
}

bool SyncGraph::tells(const Place& place, const Taken& taken, const Access& access,
                      uint64_t taker) {
  const auto of = place.byBlock.find(access.block);
  if (of == place.byBlock.end()) return false;
  const bool sameBlock = access.block == taker;
  return std::any_of(of->second.begin(), of->second.end(), [&](uint32_t index) {
    const Release& release = place.log[index];
    return index < taken.count && reaches(release, taken, taker) &&
           covers(release, access, sameBlock);
  });
}

bool SyncGraph::orders(const Access& access, uint64_t block,
                       const std::shared_ptr<const Chain>& known) const {
  struct Open {
    const Chain* chain;
    uint64_t taker;  ///< The block that acquired it.
  };
  const std::lock_guard lock(mutex_);
  Followed followed;
  std::vector<Open> open{{known.get(), block}};
  size_t steps = 0;
  while (!open.empty()) {
    const auto [first, taker] = open.back();
    open.pop_back();
    for (const Chain* chain = first; chain != nullptr; chain = chain->before.get()) {
      if (++steps > kMostGraphSteps) return true;
      const Taken& taken = chain->taken;
      const auto place = places_.find(taken.place);
      if (place == places_.end()) continue;
      const bool scoped = place->second.scoped || taken.ofBlock;
      uint32_t& upTo = followed[{taken.place, viewOf(scoped, taken, taker, access.block)}];
      if (upTo >= taken.count) continue;
      if (tells(place->second, taken, access, taker)) return true;
      for (uint32_t i = upTo; i < taken.count; ++i) {
        const Release& release = place->second.log[i];
        if (release.known && reaches(release, taken, taker))
          open.push_back({release.known.get(), release.block});
      }
      upTo = taken.count;
    }
  }
  return false;
}

}  // namespace tilestep::simt
