// SPDX-License-Identifier: Apache-2.0
// A block's barriers, numbered 0 to 15 (PTX ISA 9.0, barrier).
#include <algorithm>
#include <cstring>

#include "simt/run/special_rows.h"
#include "simt/run/worker.h"

namespace tilestep::simt {
namespace {

template <class Visit>
void forEachPath(const Warp& warp, Visit visit) {
  for (uint32_t i = 0; i < warp.paths.count; ++i) visit(warp.paths.paths[i]);
}

/// A warp's live lanes together count as 32 threads. Diverged lanes count as one thread each.
uint32_t threadsOf(const Warp& warp, uint32_t lanes) {
  const bool isWhole = (warp.live & ~lanes) == 0;
  return isWhole ? kLanes : static_cast<uint32_t>(__builtin_popcount(lanes));
}

uint32_t& cell(const Warp& warp, uint32_t row, uint32_t lane) {
  return *reinterpret_cast<uint32_t*>(warp.registers + row + 4 * lane);
}

}  // namespace

uint32_t Worker::waitingAt(const Warp& warp, uint32_t barrier) const {
  uint32_t lanes = 0;
  forEachPath(warp, [&](const Path& path) {
    if (path.wait == Path::Wait::barrier && path.barrier == barrier) lanes |= path.mask;
  });
  return lanes;
}

/// bar.arrive. If only some lanes of a warp have arrived, how many threads they count as is not
/// known until the other lanes have arrived or exited.
void Worker::arrive(const Warp& warp) {
  Arrivals& arrivals = now_->arrivals[warp.barrier % kBarriers];
  arrivals.wanted = warp.barrierThreads;
  if (warp.barrierLanes == warp.live) {
    arrivals.threads += kLanes;
    return;
  }
  arrivals.lanes.resize(warps_);
  arrivals.lanes[warp.index] |= warp.barrierLanes;
}

/// A barrier with a thread count is complete if that many threads have arrived. A barrier without a
/// count needs all threads that have not exited.
bool Worker::isComplete(uint32_t barrier) {
  Arrivals& arrivals = now_->arrivals[barrier];
  uint32_t threads = arrivals.threads, wanted = arrivals.wanted;
  bool any = false, all = true;
  for (uint32_t i = 0; i < warps_; ++i) {
    const bool isDone = now_->state[i] == State::done;
    const uint32_t arrived = arrivals.lanes.empty() ? 0 : arrivals.lanes[i];
    const uint32_t lanes = isDone ? 0 : waitingAt(now_->warp[i], barrier);
    if ((lanes | arrived) != 0) threads += threadsOf(now_->warp[i], lanes | arrived);
    all = all && (isDone || lanes == now_->warp[i].live);
    if (lanes == 0) continue;
    any = true;
    forEachPath(now_->warp[i], [&](const Path& path) {
      if (path.wait == Path::Wait::barrier && path.barrier == barrier) {
        wanted = std::max(wanted, path.threads);
      }
    });
  }
  const bool complete = wanted == 0 ? any && all : threads >= wanted;
  if (complete && !any) arrivals = {};
  return complete && any;
}

/// bar.red. All participants get the same result.
void Worker::reduceAtBarrier(uint32_t barrier) {
  uint32_t yes = 0, asked = 0;
  const auto forEachAsking = [&](auto visit) {
    for (const Warp& warp : now_->warp) {
      forEachPath(warp, [&](const Path& path) {
        if (path.wait != Path::Wait::barrier || path.barrier != barrier) return;
        const DecodedBlock& block = setup_.program.blocks[path.block];
        if (block.result == kNoRow) return;
        for (uint32_t mask = path.mask; mask != 0; mask &= mask - 1) {
          visit(warp, block, static_cast<uint32_t>(__builtin_ctz(mask)));
        }
      });
    }
  };
  forEachAsking([&](const Warp& warp, const DecodedBlock& block, uint32_t lane) {
    ++asked;
    yes += cell(warp, block.predicate, lane) != 0;
  });
  if (asked == 0) return;
  forEachAsking([&](const Warp& warp, const DecodedBlock& block, uint32_t lane) {
    const bool holds = block.barrier == BarrierKind::all ? yes == asked : yes != 0;
    cell(warp, block.result, lane) = block.barrier == BarrierKind::popc ? yes
                                     : holds                            ? 0xffffffffu
                                                                        : 0;
  });
}

/// Reports lanes of a warp that wait at different aligned barriers, which is invalid (PTX ISA 9.0,
/// barrier; CUDA C++ Programming Guide, __syncthreads()).
void Worker::lookForParting(const Warp& warp, uint32_t barrier) {
  const auto sourceOf = [&](const Path* path) { return setup_.program.blocks[path->block].source; };
  const Path* first = nullptr;
  const Path* other = nullptr;
  forEachPath(warp, [&](const Path& path) {
    const bool isHere = path.wait == Path::Wait::barrier && path.barrier == barrier;
    if (!isHere || !setup_.program.blocks[path.block].aligned) return;
    if (first == nullptr || sourceOf(&path) < sourceOf(first)) first = &path;
    if (other == nullptr || sourceOf(&path) > sourceOf(other)) other = &path;
  });
  if (first == nullptr || sourceOf(first) == sourceOf(other)) return;
  const auto lane = static_cast<uint32_t>(__builtin_ctz(other->mask));
  Fault fault;
  fault.kind = "divergent-barrier";
  fault.line = setup_.program.lineOf(sourceOf(other));
  fault.thread = threadAt(setup_.request->launch.block, warp.index * kLanes + lane);
  fault.block = now_->block;
  fault.epoch = warp.epoch;
  const uint32_t line = setup_.program.lineOf(sourceOf(first));
  fault.message = "Threads of one warp wait at two different barriers" +
                  (line == 0 ? "" : ", one of them at line " + std::to_string(line)) +
                  "; all threads of a warp must reach the same __syncthreads()" + placeText(fault);
  simt::addFault(faults_, std::move(fault));
}

void Worker::releaseBarrier(uint32_t barrier) {
  reduceAtBarrier(barrier);
  std::vector<uint32_t>& warps = released_;
  warps.clear();
  for (uint32_t i = 0; i < warps_; ++i) {
    if (now_->state[i] == State::done || waitingAt(now_->warp[i], barrier) == 0) continue;
    if (now_->checker) lookForParting(now_->warp[i], barrier);
    setup_.engine->release(now_->warp[i], setup_.program.blocks.data(), barrier);
    now_->state[i] = State::ready;
    ++now_->warp[i].epoch;
    warps.push_back(i);
  }
  now_->arrivals[barrier] = {};
  if (now_->observer) now_->observer->released(warps);
  if (!now_->checker) return;
  const auto done = std::count(now_->state.begin(), now_->state.end(), State::done);
  now_->checker->passed(barrier, warps, warps.size() + static_cast<size_t>(done) == warps_);
}

/// A mask of the barriers at which some warp waits or has arrived.
uint32_t Worker::barriersInUse() const {
  uint32_t used = 0;
  for (uint32_t i = 0; i < kBarriers; ++i) {
    const Arrivals& arrivals = now_->arrivals[i];
    if (arrivals.threads != 0 || !arrivals.lanes.empty()) used |= 1u << i;
  }
  for (uint32_t i = 0; i < warps_; ++i) {
    if (now_->state[i] == State::done) continue;
    forEachPath(now_->warp[i], [&](const Path& path) {
      const bool waits = path.wait == Path::Wait::barrier && path.barrier < kBarriers;
      if (waits) used |= 1u << path.barrier;
    });
  }
  return used;
}

bool Worker::releaseBarriers() {
  bool released = false;
  for (uint32_t used = barriersInUse(); used != 0; used &= used - 1) {
    const auto barrier = static_cast<uint32_t>(__builtin_ctz(used));
    if (!isComplete(barrier)) continue;
    releaseBarrier(barrier);
    released = true;
  }
  if (released && now_->observer) noteUneven();
  return released;
}

void Worker::noteUneven() {
  std::optional<uint32_t> epoch;
  for (uint32_t i = 0; i < warps_; ++i) {
    if (now_->state[i] == State::done) continue;
    if (epoch && now_->warp[i].epoch != *epoch) now_->observer->uneven();
    epoch = now_->warp[i].epoch;
  }
}

}  // namespace tilestep::simt
