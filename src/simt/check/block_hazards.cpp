// SPDX-License-Identifier: Apache-2.0
// Decides whether two accesses to the same memory are ordered or a hazard.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "simt/check/block_checker.h"
#include "simt/fault_text.h"

namespace tilestep::simt {
namespace {

uint32_t threadOf(Mark mark) {
  return static_cast<uint32_t>(mark & kThreadMask);
}
uint32_t warpOf(Mark mark) {
  return threadOf(mark) / kLanes;
}
uint32_t siteNumberOf(Mark mark) {
  return static_cast<uint32_t>(mark >> kSiteShift) & ((1u << (kSharedTimeShift - kSiteShift)) - 1);
}

uint32_t dataRow(const Instr& instr, uint32_t element) {
  const uint32_t rows[] = {instr.d, instr.a, instr.b, instr.c};
  return rows[element];
}

/// The bytes that a lane's store writes into a granule.
void storedBytes(const Context& context, const Instr& instr, uint32_t lane, uint32_t part,
                 uint32_t count, uint8_t* out) {
  const uint32_t elementBytes = instr.bytes / instr.elements;
  for (uint32_t i = 0; i < count;) {
    const uint32_t element = (part + i) / elementBytes, byte = (part + i) % elementBytes;
    const uint32_t bytes = std::min(elementBytes - byte, count - i);
    const uint32_t lanes = lane * (instr.wideResult ? 8 : 4);
    std::memcpy(out + i, context.registers + dataRow(instr, element) + lanes + byte, bytes);
    i += bytes;
  }
}

/// A load with whose value the thread computes, so that an outdated value gives a wrong result.
bool isDataLoad(const CheckSite& site) {
  return site.reads && (!site.writes || site.atomicLoad) && site.use == FlagUse::data;
}

bool onlyReads(const CheckSite& site) {
  return !site.writes || site.atomicLoad;
}

}  // namespace

void BlockChecker::publishStore(const Context& context, const Instr& instr) {
  PendingStores::Bytes bytes{};
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(mask));
    storedBytes(context, instr, lane, 0, instr.bytes, reinterpret_cast<uint8_t*>(&bytes[lane]));
  }
  slot_.set(globalMark(state_, instr.site), bytes);
}

/// Every access is aligned to its size, so a granule's address determines its part of the access.
bool BlockChecker::findPending(const Context& context, const Conflict& conflict,
                               uint32_t granuleBytes, uint8_t* bytes) const {
  if (conflict.region == &context.shared || context.alone) return false;
  // A mark whose time has overflowed may belong to a store earlier than the pending one.
  const uint64_t since = timeOf(conflict.before, false) - state_.blockStart;
  if (since >= state_.globalTimes - 2) return false;
  const CheckSite& site = state_.sites[globalSiteOf(conflict.before)];
  const auto part = static_cast<uint32_t>(conflict.offset % site.access.bytes);
  return pending_.find(conflict.before, part, granuleBytes, bytes);
}

bool BlockChecker::writesTheSame(const Context& context, const Instr& instr,
                                 const Conflict& conflict, uint32_t granuleBytes) const {
  uint8_t now[16], before[16];
  storedBytes(context, instr, conflict.lane, conflict.part, granuleBytes, now);
  const bool sameInstruction = ((conflict.before ^ conflict.now) & ~kLaneMask) == 0;
  if (sameInstruction) {
    storedBytes(context, instr, static_cast<uint32_t>(conflict.before & kLaneMask), conflict.part,
                granuleBytes, before);
  } else if (!findPending(context, conflict, granuleBytes, before)) {
    std::memcpy(before, conflict.region->host + conflict.offset, granuleBytes);
  }
  return std::memcmp(now, before, granuleBytes) == 0;
}

bool BlockChecker::passedWarpBarrier(const Conflict& conflict, bool shared) const {
  if (laneKnown_.empty()) return false;
  const uint64_t row = conflict.now & kThreadMask, other = conflict.before & kLaneMask;
  return timeOf(conflict.before, shared) < laneKnown_[row * kLanes + other];
}

bool BlockChecker::wasHandedOn(const Conflict& conflict, bool shared, uint64_t place) {
  if (!state_.synchronises) return false;
  SyncGraph::Access access;
  access.block = shared ? blockNumber_ : blockOf(conflict.before);
  access.thread = threadOf(conflict.before);
  access.time = timeOf(conflict.before, shared) - state_.blockStart;
  // A mark whose time has overflowed may belong to any later store.
  if (!shared && access.time >= state_.globalTimes - 2) access.time = 0;
  const BlockSync::When now = whenOf(conflict.lane);
  if (place != 0 && sync_.wasSeen(access, place, shared, now)) return true;
  if (!setup_.program.synchronises) return false;
  return sync_.orders(access, now);
}

uint64_t BlockChecker::timeOf(Mark mark, bool shared) const {
  return shared ? mark >> kSharedTimeShift
                : ((mark & ~state_.blockMask) >> state_.globalTimeShift) + state_.blockStart;
}

uint64_t BlockChecker::blockOf(Mark mark) const {
  return (mark >> (64 - blockBits_)) - 1;
}

uint32_t BlockChecker::globalSiteOf(Mark mark) const {
  return siteNumberOf(mark) & ((1u << (state_.globalTimeShift - kSiteShift)) - 1);
}

bool BlockChecker::passedBarrier(const Conflict& conflict, bool shared) const {
  if (known_.empty()) return false;
  const uint32_t other = warpOf(conflict.before);
  return timeOf(conflict.before, shared) < known_[size_t{running_} * warps_ + other];
}

/// Whether a barrier, an atomic operation or a flag orders the accesses, or they need no order.
bool BlockChecker::areInOrder(const Context& context, const Conflict& conflict, bool shared,
                              const CheckSite& before, const CheckSite& now) {
  if (onlyReads(before) && onlyReads(now)) return true;
  const bool ownBlock = shared || ((conflict.before ^ conflict.now) & state_.blockMask) == 0;
  if (ownBlock && passedBarrier(conflict, shared)) return true;
  // Between blocks, an operation of block scope counts as a plain access.
  const auto isAtomic = [&](const CheckSite& site) {
    return site.ordered && (ownBlock || !site.ofBlock);
  };
  const bool oneIsData = isDataLoad(before) || isDataLoad(now);
  if (isAtomic(before) && isAtomic(now) && !oneIsData) return true;
  if ((before.firstLook && now.atomic) || (now.firstLook && before.atomic)) return true;
  const bool ownWarp = ownBlock && warpOf(conflict.before) == warpOf(conflict.now);
  if (ownWarp && passedWarpBarrier(conflict, shared)) return true;
  const auto isFlag = [&](const CheckSite& site) { return isAtomic(site) || site.isVolatile; };
  // Most volatile variables in shared memory are not flags but data that need a barrier.
  const bool mayBeFlags = !shared || (before.ofFlag && now.ofFlag);
  const bool areFlags = isFlag(before) && isFlag(now) && !oneIsData;
  if (areFlags && (before.atomic || now.atomic)) return true;
  // GPUs since Volta let lanes of one warp that wait for each other make progress.
  const bool isAwaited = before.use == FlagUse::waits || now.use == FlagUse::waits;
  if (areFlags && mayBeFlags && (!ownWarp || isAwaited)) return true;
  // In PTX's causality order, a write that a thread has observed by loading a flag precedes all of
  // the thread's later loads, so one of the two accesses may be plain.
  const bool mayWait = isFlag(before) || isFlag(now);
  return wasHandedOn(conflict, shared,
                     mayWait ? placeOf(context, conflict.region, conflict.offset) : 0);
}

void BlockChecker::conflict(const Context& context, const Instr& instr, const Conflict& conflict) {
  const bool shared = conflict.region == &context.shared;
  const uint32_t numbers[] = {
      shared ? siteNumberOf(conflict.before) : globalSiteOf(conflict.before), instr.site};
  const CheckSite& now = state_.sites[numbers[1]];
  const bool inOrder = areInOrder(context, conflict, shared, state_.sites[numbers[0]], now);
  if (inOrder && !now.nonCoherent) return;

  const bool wrote = conflict.role != MarkRole::read;
  const bool plain = conflict.role == MarkRole::write && !now.atomic;
  const Shadow& shadow = shared ? state_.shared : state_.globals[conflict.region - context.regions];
  if (wrote && now.writes && plain &&
      writesTheSame(context, instr, conflict, 1u << shadow.granuleShift)) {
    if (!shared) hazards_.addEqualWrites(numbers[0], numbers[1]);
    return;
  }
  HazardTable::Entry entry;
  entry.first = {numbers[0], threadOf(conflict.before),
                 shared ? blockNumber_ : blockOf(conflict.before)};
  entry.second = {numbers[1], threadOf(conflict.now), blockNumber_};
  // The order follows from each warp's progress, not from which warp happened to run first.
  const uint64_t times[] = {timeOf(conflict.before, shared), timeOf(conflict.now, shared)};
  const bool nowFirst = !inOrder && (times[1] < times[0] || (times[1] == times[0] && !wrote));
  if (nowFirst) std::swap(entry.first, entry.second);
  entry.kind = wrote && !onlyReads(now) ? HazardKind::writeAfterWrite
               : wrote != nowFirst      ? HazardKind::readAfterWrite
                                        : HazardKind::writeAfterRead;
  entry.epoch = context.warp->epoch;
  entry.region = shared ? -1 : static_cast<int>(conflict.region - context.regions);
  entry.offset = conflict.offset;
  entry.elementBytes = elementBytesOf(instr);
  hazards_.add(entry);
}

}  // namespace tilestep::simt
