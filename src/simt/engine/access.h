// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/requests.h"

/// Converts a row of addresses to a host pointer. Most memory instructions repeat the same pattern
/// of addresses, only shifted. An AddressPattern keeps the differences to the first lane's address,
/// so one comparison of rows determines bounds, alignment, counts and how to move the data.
namespace tilestep::simt::TILESTEP_ENGINE {

/// `region` is null for local memory; `offset` is negative if nothing is mapped at the address.
struct Place {
  const Region* region;
  int64_t offset;  ///< In the region or the lane's local memory.
};

inline Place placeOf(const Context& context, MemorySpace space, uint64_t address) {
  if (space == MemorySpace::shared) return {&context.shared, static_cast<int64_t>(address)};
  if (space == MemorySpace::param) return {&context.param, static_cast<int64_t>(address)};
  if (space == MemorySpace::local) return {nullptr, static_cast<int64_t>(address)};
  if (space == MemorySpace::generic && address < kGlobalStart) {
    if (address - kSharedWindow < kWindowBytes) {
      return {&context.shared, static_cast<int64_t>(address - kSharedWindow)};
    }
    if (address - kLocalWindow < kWindowBytes) {
      return {nullptr, static_cast<int64_t>(address - kLocalWindow)};
    }
    if (address - kParamWindow < kWindowBytes) {
      return {&context.param, static_cast<int64_t>(address - kParamWindow)};
    }
  }
  const uint64_t cell = (address >> kCellBits) - (kGlobalStart >> kCellBits);
  if (cell >= kCells || context.cells[cell] == kNoRegion) return {nullptr, -1};
  const Region* region = context.regions + context.cells[cell];
  return {region, static_cast<int64_t>(address - region->start)};
}

inline bool sameAsBefore(const Context& context, const AddressPattern& memo,
                         const uint32_t* addresses, uint32_t first) {
  uint32_t differ = 0;
  if (context.mask == 0xffffffffu) {
    for (uint32_t i = 0; i < kLanes; ++i) differ |= (addresses[i] - first) ^ memo.narrow[i];
  } else {
    for (uint32_t i = 0; i < kLanes; ++i) {
      differ |= ((addresses[i] - first) ^ memo.narrow[i]) & context.lanes[i];
    }
  }
  return differ == 0;
}

inline bool sameAsBefore(const Context& context, const AddressPattern& memo,
                         const uint64_t* addresses, uint64_t first) {
  uint64_t differ = 0;
  if (context.mask == 0xffffffffu) {
    for (uint32_t i = 0; i < kLanes; ++i) {
      differ |= (addresses[i] - first) ^ static_cast<uint64_t>(memo.wide[i]);
    }
  } else {
    for (uint32_t i = 0; i < kLanes; ++i) {
      const auto lane = static_cast<uint64_t>(int64_t{static_cast<int32_t>(context.lanes[i])});
      differ |= ((addresses[i] - first) ^ static_cast<uint64_t>(memo.wide[i])) & lane;
    }
  }
  return differ == 0;
}

/// The largest group size (32, 16, 8 or 4) such that addresses increase by `step` bytes from lane
/// to lane in each group. 0 if there is none, or the active lanes are not whole groups from lane 0.
inline uint8_t groupOf(const AddressPattern& memo, int64_t step) {
  const uint32_t mask = memo.mask;
  if ((mask & (mask + 1)) != 0) return 0;
  const auto lanes = static_cast<uint32_t>(__builtin_popcount(mask));
  for (uint32_t group = kLanes; group >= 4; group /= 2) {
    if (lanes % group != 0) continue;
    bool regular = true;
    for (uint32_t i = 0; i < lanes; ++i) {
      const uint32_t in = i % group;
      regular = regular && memo.wide[i] == memo.wide[i - in] + step * in;
    }
    if (regular) return static_cast<uint8_t>(group);
  }
  return 0;
}

/// Stores a new pattern. Returns false if the addresses are too far apart.
template <class A>
[[gnu::noinline]] bool learn(const Context& context, const Instr& in, AddressPattern& memo,
                             const A* addresses, A first) {
  memo.mask = 0;
  memo.lowest = memo.highest = 0;
  memo.alignment = 0;
  for (uint32_t i = 0; i < kLanes; ++i) {
    const bool active = context.lanes[i] != 0;
    const int64_t difference = active ? static_cast<int64_t>(uint64_t{addresses[i]} - first) : 0;
    if (difference != static_cast<int32_t>(difference)) return false;
    memo.wide[i] = difference;
    memo.narrow[i] = static_cast<uint32_t>(difference);
    memo.alignment |= memo.narrow[i];
    memo.lowest = difference < memo.lowest ? difference : memo.lowest;
    memo.highest = difference > memo.highest ? difference : memo.highest;
  }
  memo.highest += in.bytes;
  memo.mask = context.mask;
  memo.run = groupOf(memo, in.bytes);
  memo.repeat = groupOf(memo, 0);
  if (context.counts == nullptr && context.check == nullptr) return true;
  memo.distinctBytes = static_cast<uint16_t>(distinctBytesOf(memo.wide, memo.mask, in.bytes));
  const BankUse use = banksOf(memo.wide, memo.mask, in.bytes);
  memo.wavefronts = static_cast<uint8_t>(use.wavefronts);
  memo.conflicts = static_cast<uint8_t>(use.wavefronts - (use.words + kLanes - 1) / kLanes);
  for (uint8_t& sectors : memo.sectors) sectors = 0;
  return true;
}

inline void countShared(Context& context, const Instr& in, uint32_t wavefronts,
                        uint32_t conflicts) {
  Counts::Shared& counts = context.counts->shared[in.isStore];
  counts.requests += 1;
  counts.wavefronts += wavefronts;
  counts.bankConflicts += conflicts;
}

inline void countGlobal(Context& context, const Instr& in, uint32_t mask, uint32_t sectors,
                        uint32_t distinctBytes) {
  Counts::Global& counts = context.counts->global[in.isStore];
  const auto threads = static_cast<uint32_t>(__builtin_popcount(mask));
  counts.threads += threads;
  counts.requests += 1;
  counts.sectors += sectors;
  counts.bytes += uint64_t{threads} * in.bytes;
  counts.distinctBytes += distinctBytes;
}

/// The distinct sectors of a pattern at `offset` in its region. Regions start at multiples of 32,
/// so the lowest five bits of offset and address are equal.
inline uint32_t sectorsAt(AddressPattern& memo, int64_t offset) {
  const auto start = static_cast<uint32_t>(offset & 31);
  if (memo.sectors[start] == 0) {
    int64_t shifted[kLanes];
    for (uint32_t i = 0; i < kLanes; ++i) shifted[i] = memo.wide[i] + start;
    memo.sectors[start] = static_cast<uint8_t>(sectorsOf(shifted, memo.mask));
  }
  return memo.sectors[start];
}

[[gnu::noinline]] inline void count(Context& context, const Instr& in, AddressPattern& memo,
                                    const Place& place) {
  if (place.region == &context.shared) {
    countShared(context, in, memo.wavefronts, memo.conflicts);
  } else if (place.region->counted) {
    countGlobal(context, in, memo.mask, sectorsAt(memo, place.offset), memo.distinctBytes);
  }
}

/// A request whose lanes all fall into one region, within bounds and aligned.
struct Request {
  AddressPattern* memo;
  const Region* region;
  int64_t offset;  ///< Of the first active lane; memo->wide has the differences of all lanes.
};

/// Returns false if the lanes must be processed one by one. It is inlined into each handler,
/// because nearly every access takes this path.
template <class A>
[[gnu::always_inline]] inline bool locate(Context& context, const Instr& in, Request& request) {
  const A* addresses = row<A>(context.registers, in.address);
  const A first = addresses[__builtin_ctz(context.mask)];
  AddressPattern& memo = context.memos[in.memo];
  if (in.known) {
    if (memo.mask == 0) return false;
  } else if (memo.mask != context.mask || !sameAsBefore(context, memo, addresses, first)) {
    if (!learn<A>(context, in, memo, addresses, first)) return false;
  }
  const uint64_t address = uint64_t{first} + static_cast<uint64_t>(in.offset);
  const Place place = placeOf(context, in.space, address);
  if (place.region == nullptr || place.offset + memo.lowest < 0 ||
      place.offset + memo.highest > static_cast<int64_t>(place.region->bytes) ||
      ((static_cast<uint32_t>(address) | memo.alignment) & (in.bytes - 1u)) != 0 ||
      (in.isStore && !place.region->writable)) {
    return false;
  }
  request = {&memo, place.region, place.offset};
  return true;
}

/// Like locate(), and counts the request.
template <class A>
[[gnu::always_inline]] inline bool prepare(Context& context, const Instr& in, Request& request) {
  if (!locate<A>(context, in, request)) return false;
  if (context.counts != nullptr) {
    count(context, in, *request.memo, {request.region, request.offset});
  }
  return true;
}

/// The access of a single lane.
struct LaneAccess {
  uint8_t* host;
  uint8_t* shadow;
  bool isGlobal;
  bool writable;  ///< Whether an atomic operation may change the memory.
};

/// If the access is invalid, reports it and returns a null host pointer.
inline LaneAccess laneAccess(Context& context, const Instr& in, uint32_t lane, uint64_t address) {
  const Place place = placeOf(context, in.space, address);
  Region local{0,    context.localBytes, context.local + lane * context.localBytes, nullptr, true,
               false};
  const Region* region = place.region;
  if (region == nullptr && place.offset >= 0) region = &local;
  AccessFault kind = AccessFault::outOfBounds;
  if (region != nullptr && place.offset >= 0 &&
      static_cast<uint64_t>(place.offset) + in.bytes <= region->bytes) {
    if ((address & (in.bytes - 1u)) != 0) {
      kind = AccessFault::misaligned;
    } else if (in.isStore && !in.isAtomic && !region->writable) {
      kind = AccessFault::readOnly;
    } else {
      return {region->host + place.offset,
              region->shadow == nullptr ? nullptr : region->shadow + place.offset, region->counted,
              region->writable};
    }
  }
  context.fault(context, in, lane, kind, address);
  return {nullptr, nullptr, false, false};
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
