// SPDX-License-Identifier: Apache-2.0
#include "simt/check/sync_graph.h"

#include <algorithm>

#include "simt/machine.h"

namespace tilestep::simt {
namespace {

/// Longer ways than this are taken for an order.
constexpr size_t kMostSteps = 1 << 14;

bool covers(const SyncGraph::Release& release, const SyncGraph::Access& access, bool sameBlock) {
  const SyncGraph::Bounds& bounds = sameBlock ? release.inBlock : release.inGrid;
  if (access.time < bounds.others) return true;
  if (access.thread == release.thread) return access.time < bounds.own;
  return access.thread / kLanes == release.thread / kLanes && access.time < bounds.warp;
}

}  // namespace

void SyncGraph::release(uint64_t place, Release release) {
  const std::lock_guard lock(mutex_);
  Place& at = places_[place];
  at.byBlock[release.block].push_back(static_cast<uint32_t>(at.log.size()));
  at.log.push_back(std::move(release));
  releases_.fetch_add(1, std::memory_order_release);
}

uint32_t SyncGraph::count(uint64_t place) const {
  const std::lock_guard lock(mutex_);
  const auto at = places_.find(place);
  return at == places_.end() ? 0 : static_cast<uint32_t>(at->second.log.size());
}

bool SyncGraph::tells(const Taken& taken, const Access& access, bool sameBlock) const {
  const auto place = places_.find(taken.place);
  if (place == places_.end()) return false;
  const auto of = place->second.byBlock.find(access.block);
  if (of == place->second.byBlock.end()) return false;
  return std::any_of(of->second.begin(), of->second.end(), [&](uint32_t index) {
    return index < taken.count && covers(place->second.log[index], access, sameBlock);
  });
}

bool SyncGraph::orders(const Access& access, uint64_t block,
                       const std::shared_ptr<const Chain>& known) const {
  const std::lock_guard lock(mutex_);
  std::unordered_map<uint64_t, uint32_t> seen;  // By place: how much of it has been followed.
  std::vector<const Chain*> open{known.get()};
  size_t steps = 0;
  while (!open.empty()) {
    const Chain* chain = open.back();
    open.pop_back();
    for (; chain != nullptr; chain = chain->before.get()) {
      if (++steps > kMostSteps) return true;
      uint32_t& followed = seen[chain->taken.place];
      if (followed >= chain->taken.count) continue;
      if (tells(chain->taken, access, access.block == block)) return true;
      const auto place = places_.find(chain->taken.place);
      if (place == places_.end()) continue;
      for (uint32_t i = followed; i < chain->taken.count; ++i) {
        if (place->second.log[i].known) open.push_back(place->second.log[i].known.get());
      }
      followed = chain->taken.count;
    }
  }
  return false;
}

}  // namespace tilestep::simt
