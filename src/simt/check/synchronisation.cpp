// SPDX-License-Identifier: Apache-2.0
#include "simt/check/synchronisation.h"

#include <algorithm>

#include "simt/machine.h"

namespace tilestep::simt {

BlockSync::BlockSync(SyncGraph& graph, uint32_t threads) : graph_(graph) {
  for (auto& fences : fences_) fences.resize(threads);
  for (auto& floors : fenceFloors_) floors.resize(threads);
  for (auto& fences : warpFences_) fences.resize(threads / kLanes + 1);
  for (auto& ofWarp : ofWarps_) ofWarp.resize(threads / kLanes + 1);
  pending_.resize(threads / kLanes + 1);
  latest_.resize(threads);
}

void BlockSync::startBlock(uint64_t number, uint64_t time) {
  block_ = number;
  start_ = time;
  known_ = nullptr;
  for (auto& ofWarp : pending_) ofWarp.clear();
  for (auto& fences : fences_) std::fill(fences.begin(), fences.end(), 0);
  for (auto& floors : fenceFloors_) std::fill(floors.begin(), floors.end(), 0);
  for (auto& fences : warpFences_) std::fill(fences.begin(), fences.end(), 0);
  for (auto& ofWarp : ofWarps_) std::fill(ofWarp.begin(), ofWarp.end(), OfWarp{});
  awaited_.clear();
  written_.clear();
  ++changes_;
  lastBarrier_ = 0;
  fenced_ = {};
  ownFenced_ = {};
  fencedUpTo_ = {};
}

void BlockSync::barrier(uint64_t floor) {
  for (std::vector<Pending>& ofWarp : pending_) {
    for (const Pending& pending : ofWarp) {
      known_ = std::make_shared<const SyncGraph::Chain>(SyncGraph::Chain{pending.taken, known_});
      if (pending.waited == 0) continue;
      uint64_t& waited = awaited_[pending.taken.place];
      waited = std::max(waited, pending.waited);
    }
    if (!ofWarp.empty()) ++changes_;
    ofWarp.clear();
  }
  for (size_t scope = 0; scope < 2; ++scope) {
    if (!fenced_[scope]) continue;
    fencedUpTo_[scope] = lastBarrier_;
    ownFenced_[scope] = std::make_shared<const std::vector<uint64_t>>(fences_[scope]);
    fenced_[scope] = false;
  }
  lastBarrier_ = floor - start_;
}

void BlockSync::fence(const When& when, bool ofBlockOnly) {
  for (size_t scope = 0; scope < (ofBlockOnly ? 1 : 2); ++scope) {
    fences_[scope][when.thread] = when.time + 1 - start_;
    fenceFloors_[scope][when.thread] = std::max(when.warpFloor, when.floor) - start_;
    warpFences_[scope][when.thread / kLanes] = when.time + 1 - start_;
    fenced_[scope] = true;
  }
}

SyncGraph::Bounds BlockSync::boundsOf(const When& when, size_t scope, bool withoutFence) const {
  const uint64_t floor = when.floor - start_, warpFloor = when.warpFloor - start_;
  if (withoutFence) return {floor, warpFloor, when.time - start_};
  const uint64_t own = fences_[scope][when.thread];
  // A fence covers everything before it, including what the warp did before its barrier.
  uint64_t ofWarp = fenceFloors_[scope][when.thread];
  const uint32_t first = when.thread / kLanes * kLanes;
  const auto end = std::min<size_t>(first + kLanes, fences_[scope].size());
  for (uint32_t thread = first; thread < end; ++thread)
    if (fences_[scope][thread] <= warpFloor) ofWarp = std::max(ofWarp, fenceFloors_[scope][thread]);
  return {own > floor ? floor : fencedUpTo_[scope], ofWarp, own};
}

/// The fence times of the block's threads before the block's last barrier, and of the warp's lanes
/// before the warp's last barrier.
SyncGraph::Fenced BlockSync::fencedBy(const When& when, size_t scope) {
  const uint64_t warpFloor = when.warpFloor - start_;
  const uint32_t warp = when.thread / kLanes;
  const uint64_t latest = warpFences_[scope][warp];
  if (latest <= when.floor - start_) return ownFenced_[scope];
  OfWarp& known = ofWarps_[scope][warp];
  if (known.made && known.fence == latest && known.floor == warpFloor &&
      known.ofBlock == ownFenced_[scope])
    return known.made;
  const std::vector<uint64_t>& fences = fences_[scope];
  std::vector<uint64_t> all =
      ownFenced_[scope] ? *ownFenced_[scope] : std::vector<uint64_t>(fences.size());
  const auto end = std::min<size_t>(size_t{warp + 1} * kLanes, fences.size());
  for (size_t thread = size_t{warp} * kLanes; thread < end; ++thread)
    if (fences[thread] <= warpFloor) all[thread] = std::max(all[thread], fences[thread]);
  known = {latest, warpFloor, ownFenced_[scope],
           std::make_shared<const std::vector<uint64_t>>(std::move(all))};
  return known.made;
}

uint64_t BlockSync::toldTo(const When& when) const {
  const bool isAny = std::ranges::any_of(ofWarp(when), [&](const Pending& pending) {
    return pending.thread != when.thread && pending.time < when.told;
  });
  return isAny ? when.told : 0;
}

bool BlockSync::isKnown(const Pending& pending, const When& when) {
  return pending.thread == when.thread || pending.time < std::max(when.warpFloor, when.told);
}

BlockSync::Chain BlockSync::knownTo(const When& when) const {
  Chain known = known_;
  for (const Pending& pending : ofWarp(when)) {
    if (!isKnown(pending, when)) continue;
    known = std::make_shared<const SyncGraph::Chain>(SyncGraph::Chain{pending.taken, known});
  }
  return known;
}

void BlockSync::wrote(const When& when, uint64_t place, bool ofBlock) {
  const SyncGraph::Access write{block_, when.thread, when.time - start_};
  if (ofBlock)
    written_.note({place, block_, when.thread}, graph_.nextWrite(), write.time);
  else
    graph_.wrote(write, place);
}

void BlockSync::release(const When& when, uint64_t place, Manner manner) {
  SyncGraph::Release release;
  release.block = block_;
  release.thread = when.thread;
  release.ofBlock = manner.ofBlock;
  release.inBlock = boundsOf(when, 0, manner.withoutFence);
  if (!manner.ofBlock) release.inGrid = boundsOf(when, 1, manner.withoutFence);
  release.fencedInBlock = fencedBy(when, 0);
  if (!manner.ofBlock) release.fencedInGrid = fencedBy(when, 1);
  if (!release.inBlock.any() && !release.fencedInBlock) return;
  Latest& latest = latest_[when.thread];
  const Latest::State state{place, changes_, when.warpFloor, toldTo(when)};
  const bool again = latest.handedOn == state && latest.inBlock == release.inBlock &&
                     latest.inGrid == release.inGrid && latest.ofBlock == release.ofBlock &&
                     latest.fencedInBlock == release.fencedInBlock &&
                     latest.fencedInGrid == release.fencedInGrid;
  if (again) return;
  latest.handedOn = state;
  latest.inBlock = release.inBlock;
  latest.inGrid = release.inGrid;
  latest.ofBlock = release.ofBlock;
  latest.fencedInBlock = release.fencedInBlock;
  latest.fencedInGrid = release.fencedInGrid;
  release.known = knownTo(when);
  graph_.release(place, std::move(release));
}

uint32_t BlockSync::countAt(uint64_t place) {
  const uint64_t releases = graph_.releases();
  if (counted_.place != place || counted_.releases != releases) {
    counted_ = {place, releases, graph_.count(place)};
  }
  return counted_.count;
}

/// Null if the thread has acquired nothing from `place` since the last barrier.
BlockSync::Pending* BlockSync::pendingOf(const When& when, uint64_t place, bool ofBlock) {
  const auto isIt = [&](const Pending& pending) {
    return pending.thread == when.thread && pending.taken.place == place &&
           pending.taken.ofBlock == ofBlock;
  };
  std::vector<Pending>& all = pending_[when.thread / kLanes];
  size_t& at = latest_[when.thread].pending;
  if (at < all.size() && isIt(all[at])) return &all[at];
  at = static_cast<size_t>(std::ranges::find_if(all, isIt) - all.begin());
  return at < all.size() ? &all[at] : nullptr;
}

void BlockSync::acquire(const When& when, uint64_t place, Heed heed) {
  const uint32_t count = countAt(place);
  const uint64_t waited = heed.waits ? graph_.writes() : 0;
  if (count == 0 && waited == 0) return;
  if (Pending* pending = pendingOf(when, place, heed.ofBlock)) {
    changes_ += pending->taken.count != count;
    pending->taken.count = count;
    pending->waited = std::max(pending->waited, waited);
    return;
  }
  ++changes_;
  pending_[when.thread / kLanes].push_back(
      {when.thread, when.time, {place, count, heed.ofBlock}, waited});
}

bool BlockSync::wasSeen(const SyncGraph::Access& access, uint64_t place, bool ofBlock,
                        const When& now) const {
  const auto before = awaited_.find(place);
  uint64_t waited = before == awaited_.end() ? 0 : before->second;
  for (const Pending& pending : ofWarp(now))
    if (pending.taken.place == place && pending.waited > waited && isKnown(pending, now))
      waited = pending.waited;
  if (waited == 0) return false;
  return ofBlock ? written_.has({place, access.block, access.thread}, waited, access.time)
                 : graph_.wasSeen(access, place, waited);
}

bool BlockSync::orders(const SyncGraph::Access& access, const When& now) const {
  Latest& latest = latest_[now.thread];
  const Latest::State state{0, changes_, now.warpFloor, toldTo(now)};
  const uint64_t releases = graph_.releases();
  const bool again =
      latest.asked == state && latest.releases == releases && latest.access == access;
  if (again) return latest.answer;
  const Chain known = knownTo(now);
  latest.asked = state;
  latest.releases = releases;
  latest.access = access;
  latest.answer = known != nullptr && graph_.orders(access, block_, known);
  return latest.answer;
}

}  // namespace tilestep::simt
