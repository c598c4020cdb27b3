// SPDX-License-Identifier: Apache-2.0
#include "simt/check/block_checker.h"

#include <algorithm>
#include <cstring>

namespace tilestep::simt {
namespace {

/// The first time is not 0, so that no mark is 0.
constexpr uint64_t kFirstTime = 1;
/// A mark of shared memory holds 36 bits of time. The shadow is cleared before they overflow.
constexpr uint64_t kLastTime = uint64_t{1} << 35;

}  // namespace

BlockChecker::BlockChecker(const Setup& setup, GlobalShadows& globals, PendingStores::Slot& slot,
                           uint32_t warps)
    : setup_(setup),
      warps_(warps),
      blockBits_(static_cast<unsigned>(std::bit_width(setup.request->launch.grid.count()))),
      times_(warps),
      warpFloors_(warps),
      metAt_(warps),
      pending_(globals.pending()),
      slot_(slot),
      answering_(globals.answering()),
      sync_(globals.sync(), warps * kLanes) {
  state_.sites = setup.program.sites.data();
  state_.globals = globals.shadows();
  state_.synchronises = setup.program.synchronises || setup.program.waits;
  allocateShared();
  localUnset_.resize(size_t{warps} * kLanes * setup.program.bytesOfThread());
  sharedUnset_.resize(setup.sharedBytes);
  state_.sharedUnset = sharedUnset_.data();
  unset_.resize(warps);
  state_.companions = setup.program.companions.data();
  state_.unsetRules = setup.program.unsetRules.data();
  state_.companionCount = static_cast<uint32_t>(setup.program.companions.size());
  const unsigned siteBits = std::bit_width(setup.program.sites.size());
  state_.globalTimeShift = kSiteShift + siteBits;
  state_.globalTimes = uint64_t{1} << (64 - blockBits_ - state_.globalTimeShift);
  state_.blockMask = ~uint64_t{0} << (64 - blockBits_);
  state_.time = kFirstTime;
}

void BlockChecker::allocateShared() {
  const Scrutiny& scrutiny = setup_.checks.shared;
  const size_t count = (size_t{setup_.sharedBytes} >> scrutiny.granuleShift) + 1;
  const size_t kinds = scrutiny.atomic ? 5 : 3;
  sharedMarks_.assign(kinds * count, 0);
  Shadow& shadow = state_.shared;
  shadow.granuleShift = scrutiny.granuleShift;
  shadow.atomicsMayRace = std::ranges::any_of(setup_.program.sites, [](const CheckSite& site) {
    return site.atomicLoad && site.use == FlagUse::data;
  });
  shadow.writes = sharedMarks_.data();
  shadow.reads[0] = shadow.writes + count;
  shadow.reads[1] = shadow.writes + 2 * count;
  if (!scrutiny.atomic) return;
  shadow.atomics[0] = shadow.writes + 3 * count;
  shadow.atomics[1] = shadow.writes + 4 * count;
}

void BlockChecker::startBlock(const Dim3& block) {
  const Dim3& grid = setup_.request->launch.grid;
  blockNumber_ = block.x + uint64_t{grid.x} * (block.y + uint64_t{grid.y} * block.z);
  uint64_t time = state_.time;
  for (const uint64_t other : times_) time = std::max(time, other);
  if (time > kLastTime) {
    std::fill(sharedMarks_.begin(), sharedMarks_.end(), 0);
    time = kFirstTime;
  }
  floor_ = state_.time = state_.blockStart = time + 1;
  state_.sharedStart = floor_ << kSharedTimeShift;
  state_.block = (blockNumber_ + 1) << (64 - blockBits_);
  std::fill(times_.begin(), times_.end(), floor_);
  std::fill(warpFloors_.begin(), warpFloors_.end(), floor_);
  std::fill(metAt_.begin(), metAt_.end(), floor_);
  std::fill(localUnset_.begin(), localUnset_.end(), 0xff);
  std::fill(unset_.begin(), unset_.end(), 0);
  if (state_.sharedHoldsUnset) std::fill(sharedUnset_.begin(), sharedUnset_.end(), 0);
  state_.sharedHoldsUnset = false;
  unsetReads_.clear();
  unsetOrigins_.clear();
  sharedOrigins_.clear();
  known_.clear();
  laneKnown_.clear();
  for (auto& arrived : arrived_) arrived.clear();
  sync_.startBlock(blockNumber_, floor_);
}

Mark BlockChecker::globalFloor(uint64_t time) const {
  const uint64_t since = std::min(time - state_.blockStart, state_.globalTimes - 1);
  return state_.block | (since << state_.globalTimeShift);
}

void BlockChecker::enter(uint32_t warp) {
  running_ = warp;
  state_.time = times_[warp];
  state_.warp = Mark{warp} * kLanes;
  setFloors();
  const size_t localBytes = size_t{kLanes} * setup_.program.bytesOfThread();
  state_.localUnset = localUnset_.data() + warp * localBytes;
  state_.warpHasUnset = unset_.data() + warp;
}

void BlockChecker::setFloors() {
  // The latest barrier of a warp is never earlier than the block's.
  const uint64_t warpFloor = std::max(warpFloors_[running_], floor_);
  state_.sharedFloor = floor_ << kSharedTimeShift;
  state_.sharedWarpFloor = warpFloor << kSharedTimeShift;
  state_.globalFloor = globalFloor(floor_);
  state_.globalWarpFloor = globalFloor(warpFloor);
}

void BlockChecker::leave() {
  times_[running_] = state_.time;
}

void BlockChecker::needKnown() {
  if (known_.empty()) known_.assign(size_t{warps_} * warps_, floor_);
}

void BlockChecker::arrived(uint32_t barrier) {
  leave();
  needKnown();
  const uint64_t now = ++times_[running_];
  std::vector<uint64_t>& together = arrived_[barrier];
  together.resize(warps_, 0);
  for (uint32_t other = 0; other < warps_; ++other) {
    together[other] = std::max(together[other], known_[size_t{running_} * warps_ + other]);
  }
  together[running_] = now;
  enter(running_);
}

/// A barrier of all warps orders everything before it and sets all warps to the same time. After a
/// barrier of some warps, each of these warps is ordered after everything that any of them was
/// ordered after.
void BlockChecker::passed(uint32_t barrier, const std::vector<uint32_t>& warps, bool all) {
  std::vector<uint64_t> together = std::move(arrived_[barrier]);
  arrived_[barrier].clear();
  together.resize(warps_, 0);
  if (all) {
    floor_ = *std::max_element(times_.begin(), times_.end()) + 1;
    std::fill(times_.begin(), times_.end(), floor_);
    known_.clear();
    sync_.barrier(floor_);
    return;
  }
  sync_.barrier(floor_);
  needKnown();
  for (const uint32_t warp : warps) {
    ++times_[warp];
    warpFloors_[warp] = times_[warp];
    for (uint32_t other = 0; other < warps_; ++other) {
      together[other] = std::max(together[other], known_[size_t{warp} * warps_ + other]);
    }
  }
  for (const uint32_t warp : warps) together[warp] = std::max(together[warp], times_[warp]);
  for (const uint32_t warp : warps) {
    std::copy(together.begin(), together.end(), known_.data() + size_t{warp} * warps_);
  }
}

/// The barrier's time is that of the warp's next access.
void BlockChecker::warpBarrier(const Warp& warp, uint32_t lanes) {
  const uint64_t now = state_.time + 1;
  if (lanes == warp.live) {
    warpFloors_[running_] = now;
    return setFloors();
  }
  if (laneKnown_.empty()) laneKnown_.assign(size_t{warps_} * kLanes * kLanes, 0);
  uint64_t* rows = laneKnown_.data() + size_t{running_} * kLanes * kLanes;
  uint64_t together[kLanes] = {};
  for (uint32_t a = 0; a < kLanes; ++a) {
    if ((lanes >> a & 1) == 0) continue;
    together[a] = now;
    for (uint32_t b = 0; b < kLanes; ++b) {
      together[b] = std::max(together[b], rows[a * kLanes + b]);
    }
  }
  for (uint32_t a = 0; a < kLanes; ++a) {
    if ((lanes >> a & 1) != 0) std::copy_n(together, kLanes, rows + a * kLanes);
  }
}

void BlockChecker::lanesMet() {
  metAt_[running_] = state_.time + 1;
}

void BlockChecker::copied(uint32_t lane, uint64_t offset, uint32_t bytes, uint32_t site) {
  const unsigned shift = state_.shared.granuleShift;
  const Mark mark = state_.time << kSharedTimeShift | Mark{site} << kSiteShift | state_.warp | lane;
  for (uint64_t at = offset >> shift; at <= (offset + bytes - 1) >> shift; ++at) {
    state_.shared.writes[at] = mark;
  }
  if (state_.sharedHoldsUnset) std::memset(state_.sharedUnset + offset, 0, bytes);
}

/// Treats a barrier of some lanes as a barrier of the whole warp, which may hide a hazard.
BlockSync::When BlockChecker::whenOf(uint32_t lane) const {
  const uint32_t thread = running_ * kLanes + lane;
  uint64_t warpFloor = std::max(warpFloors_[running_], floor_);
  if (!laneKnown_.empty()) {
    const uint64_t* row = laneKnown_.data() + size_t{thread} * kLanes;
    warpFloor = std::max(warpFloor, *std::max_element(row, row + kLanes));
  }
  return {thread, state_.time, floor_, warpFloor, metAt_[running_]};
}

void BlockChecker::fence(const Context& context, const Instr& instr) {
  const ptx::Instruction& instruction = setup_.program.instruction(instr.source);
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    sync_.fence(whenOf(static_cast<uint32_t>(__builtin_ctz(mask))), instruction.has("cta"));
  }
}

uint64_t BlockChecker::placeOf(const Context& context, const Region* region,
                               uint64_t offset) const {
  if (region == &context.shared) return uint64_t{1} << 63 | blockNumber_ << 20 | offset >> 2;
  return static_cast<uint64_t>(region - context.regions + 1) << 40 | offset >> 2;
}

void BlockChecker::release(const Context& context, const Instr& instr, uint32_t lane,
                           const Region* region, uint64_t offset) {
  const CheckSite& site = state_.sites[instr.site];
  const BlockSync::When now = whenOf(lane);
  const uint64_t place = placeOf(context, region, offset);
  // An operation whose old value is used may be an unsuccessful attempt in a loop.
  if (setup_.program.waits && !site.answers) sync_.wrote(now, place, region == &context.shared);
  if (setup_.program.synchronises) sync_.release(now, place, {site.release, site.ofBlock});
}

void BlockChecker::acquire(const Context& context, const Instr& instr, uint32_t lane,
                           const Region* region, uint64_t offset) {
  const CheckSite& site = state_.sites[instr.site];
  sync_.acquire(whenOf(lane), placeOf(context, region, offset),
                {site.ofBlock, site.use == FlagUse::waits});
}

}  // namespace tilestep::simt
