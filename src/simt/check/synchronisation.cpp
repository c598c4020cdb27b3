// SPDX-License-Identifier: Apache-2.0
#include "simt/check/synchronisation.h"

#include <algorithm>

#include "simt/machine.h"

namespace tilestep::simt {

BlockSync::BlockSync(SyncGraph& graph, uint32_t threads) : graph_(graph) {
  for (auto& fences : fences_) fences.resize(threads);
}

void BlockSync::startBlock(uint64_t number, uint64_t time) {
  block_ = number;
  start_ = time;
  known_ = nullptr;
  pending_.clear();
  for (auto& fences : fences_) std::fill(fences.begin(), fences.end(), 0);
  fenced_ = {};
  fencedUpTo_ = {};
}

void BlockSync::barrier(uint64_t floor) {
  for (const Pending& pending : pending_) {
    known_ = std::make_shared<const SyncGraph::Chain>(SyncGraph::Chain{pending.taken, known_});
  }
  pending_.clear();
  for (size_t scope = 0; scope < 2; ++scope) {
    if (fenced_[scope]) fencedUpTo_[scope] = floor - start_;
    fenced_[scope] = false;
  }
}

void BlockSync::fence(const When& when, bool ofBlockOnly) {
  for (size_t scope = 0; scope < (ofBlockOnly ? 1 : 2); ++scope) {
    fences_[scope][when.thread] = when.time + 1 - start_;
    fenced_[scope] = true;
  }
}

SyncGraph::Bounds BlockSync::boundsOf(const When& when, size_t scope, bool withoutFence) const {
  const uint64_t floor = when.floor - start_, warpFloor = when.warpFloor - start_;
  if (withoutFence) return {floor, warpFloor, when.time - start_};
  const std::vector<uint64_t>& fences = fences_[scope];
  const uint64_t own = fences[when.thread];
  const auto warp = fences.begin() + when.thread / kLanes * kLanes;
  const auto end = std::min(warp + kLanes, fences.end());
  const uint64_t latest = *std::max_element(warp, end);
  return {own > floor ? floor : fencedUpTo_[scope], std::min(warpFloor, latest), own};
}

BlockSync::Chain BlockSync::knownTo(const When& when) const {
  Chain known = known_;
  for (const Pending& pending : pending_) {
    const bool ofWarp = pending.thread / kLanes == when.thread / kLanes;
    if (pending.thread != when.thread && !(ofWarp && pending.time < when.warpFloor)) continue;
    known = std::make_shared<const SyncGraph::Chain>(SyncGraph::Chain{pending.taken, known});
  }
  return known;
}

void BlockSync::handOn(const When& when, uint64_t place, bool withoutFence) {
  SyncGraph::Release release;
  release.block = block_;
  release.thread = when.thread;
  release.inBlock = boundsOf(when, 0, withoutFence);
  release.inGrid = boundsOf(when, 1, withoutFence);
  if (!release.inBlock.any()) return;
  release.known = knownTo(when);
  graph_.release(place, std::move(release));
}

void BlockSync::takeOver(const When& when, uint64_t place) {
  const uint32_t count = graph_.count(place);
  if (count == 0) return;
  for (Pending& pending : pending_) {
    if (pending.thread != when.thread || pending.taken.place != place) continue;
    pending.taken.count = count;
    return;
  }
  pending_.push_back({when.thread, when.time, {place, count}});
}

bool BlockSync::orders(const SyncGraph::Access& access, const When& now) const {
  const Chain known = knownTo(now);
  return known != nullptr && graph_.orders(access, block_, known);
}

}  // namespace tilestep::simt
