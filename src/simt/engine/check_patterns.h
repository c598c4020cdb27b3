// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/check/state.h"
#include "simt/engine/access.h"

// For loops over at most 16 lanes, which GCC would otherwise unroll instead of using vectors.
#if defined(__clang__)
#define TILESTEP_FEW_LANES TILESTEP_LANES
#else
#define TILESTEP_FEW_LANES TILESTEP_LANES _Pragma("GCC unroll 1")
#endif

/// Compares an access with the marks in the shadow of its memory, either mark by mark, or, in
/// shared memory and if the lanes form a pattern, for groups of lanes at once.
namespace tilestep::simt::TILESTEP_ENGINE {

/// Data shared by all lanes of an access. `now` is lane 0's mark.
struct Look {
  const CheckSite* site;
  const Shadow* shadow;
  const Region* region;
  Mark now, floor, warpFloor;
  Mark start;      ///< In shared memory, lower marks are from earlier blocks.
  Mark blockMask;  ///< 0 in shared memory.
};

/// Marks of global memory are shared by the workers. Because of the relaxed order, two simultaneous
/// accesses may miss each other.
template <bool global>
inline Mark get(const Mark* mark) {
  if constexpr (global) return __atomic_load_n(mark, __ATOMIC_RELAXED);
  return *mark;
}
template <bool global>
inline void set(Mark* mark, Mark value) {
  if constexpr (global)
    __atomic_store_n(mark, value, __ATOMIC_RELAXED);
  else
    *mark = value;
}

/// Whether program order or a barrier orders `before` before `now`. Branch-free.
inline bool inOrder(const Look& look, Mark before, Mark now) {
  const Mark differ = before ^ now;
  const bool ownBlock = (differ & look.blockMask) == 0;
  const bool ownThread = (differ & kThreadMask) == 0;
  const bool ownWarp = (differ & kWarpMask) == 0;
  const bool earlier = (before < look.floor) | ownThread | (ownWarp & (before < look.warpFloor));
  return (before == 0) | (ownBlock & earlier);
}

/// Whether the second mark is kept when a new mark replaces the first one. It is kept if the first
/// mark is of the accessing thread, or if only the second mark is of another block or warp.
inline bool keepsSecond(const Look& look, Mark first, Mark second, Mark now) {
  const Mark differ = first ^ now, other = second ^ now;
  const bool sameThread = (differ & (look.blockMask | kThreadMask)) == 0;
  const bool ownBlock = (differ & look.blockMask) == 0;
  const bool otherBlock = ((other & look.blockMask) != 0) & (second != 0);
  const bool otherWarp =
      ((differ & kWarpMask) == 0) & (second >= look.floor) & ((other & kWarpMask) != 0);
  return sameThread | (ownBlock & (otherBlock | otherWarp));
}

template <bool global>
inline void remember(const Look& look, Mark* const (&marks)[2], uint64_t index, Mark now) {
  const Mark first = get<global>(marks[0] + index), second = get<global>(marks[1] + index);
  if (!keepsSecond(look, first, second, now)) set<global>(marks[1] + index, first);
  set<global>(marks[0] + index, now);
}

/// Checks the marks of adjacent granules of shared memory, which adjacent lanes access. Returns 0
/// if all of them are ordered and none is below `start`.
template <uint32_t group>
inline Mark unwell(const Look& look, const Mark* marks, Mark now, Mark start) {
  const Mark floor = look.floor, warpFloor = look.warpFloor;
  Mark bad = 0;
  TILESTEP_FEW_LANES
  for (uint32_t k = 0; k < group; ++k) {
    const Mark mark = marks[k], differ = mark ^ (now + k);
    const Mark open = Mark{mark >= floor} & Mark{(differ & kThreadMask) != 0} &
                      (Mark{(differ & kWarpMask) != 0} | Mark{mark >= warpFloor});
    bad |= open | Mark{mark < start};
  }
  return bad;
}

template <uint32_t group>
inline void rememberReads(const Look& look, Mark* first, Mark* second, Mark now) {
  const Mark floor = look.floor;
  TILESTEP_FEW_LANES
  for (uint32_t k = 0; k < group; ++k) {
    const Mark one = first[k], two = second[k], mark = now + k;
    const Mark differ = one ^ mark, other = two ^ mark;
    const Mark sameThread = Mark{(differ & kThreadMask) == 0};
    const Mark otherWarp =
        Mark{(differ & kWarpMask) == 0} & Mark{two >= floor} & Mark{(other & kWarpMask) != 0};
    const Mark keep = Mark{0} - (sameThread | otherWarp);
    second[k] = (two & keep) | (one & ~keep);
    first[k] = mark;
  }
}

/// The index of the granule that `lane` accesses.
inline uint64_t granuleOf(const Look& look, const Request& request, uint32_t lane) {
  return static_cast<uint64_t>(request.offset + request.memo->wide[lane]) >>
         look.shadow->granuleShift;
}

/// Checks reads by groups of lanes with adjacent addresses, one group at a time. Returns false if
/// the lanes must be checked one by one. The loops have no early return, for speed.
template <uint32_t group>
inline bool readRuns(const Look& look, const Request& request, uint32_t lanes) {
  const Shadow& shadow = *look.shadow;
  Mark bad = 0;
  for (uint32_t i = 0; i < lanes; i += group) {
    const uint64_t at = granuleOf(look, request, i);
    bad |= unwell<group>(look, shadow.writes + at, look.now + i, look.start);
  }
  if (bad != 0) [[unlikely]]
    return false;
  // Groups are processed in order, because a group must meet the marks of earlier groups.
  for (uint32_t i = 0; i < lanes; i += group) {
    const uint64_t at = granuleOf(look, request, i);
    rememberReads<group>(look, shadow.reads[0] + at, shadow.reads[1] + at, look.now + i);
  }
  return true;
}

template <uint32_t group>
inline bool writeRuns(const Look& look, const Request& request, uint32_t lanes) {
  const Shadow& shadow = *look.shadow;
  Mark bad = 0;
  for (uint32_t i = 0; i < lanes; i += group) {
    const uint64_t at = granuleOf(look, request, i);
    const Mark now = look.now + i;
    bad |= unwell<group>(look, shadow.writes + at, now, 0) |
           unwell<group>(look, shadow.reads[0] + at, now, 0) |
           unwell<group>(look, shadow.reads[1] + at, now, 0);
    if (bad != 0) [[unlikely]]
      return false;
    TILESTEP_FEW_LANES
    for (uint32_t k = 0; k < group; ++k) shadow.writes[at + k] = now + k;
  }
  return true;
}

template <uint32_t group>
inline bool checkRuns(const Look& look, const Request& request) {
  const auto lanes = static_cast<uint32_t>(__builtin_popcount(request.memo->mask));
  return look.site->writes ? writeRuns<group>(look, request, lanes)
                           : readRuns<group>(look, request, lanes);
}

/// Checks groups of lanes that each read one address. The first and last lanes represent their
/// group.
inline bool checkBroadcast(const Look& look, const Request& request) {
  const Shadow& shadow = *look.shadow;
  const AddressPattern& memo = *request.memo;
  const uint32_t group = memo.repeat;
  const auto lanes = static_cast<uint32_t>(__builtin_popcount(memo.mask));
  for (uint32_t i = 0; i < lanes; i += group) {
    const uint64_t index =
        static_cast<uint64_t>(request.offset + memo.wide[i]) >> shadow.granuleShift;
    const Mark before = shadow.writes[index];
    if (before < look.start || !inOrder(look, before, look.now + i) ||
        !inOrder(look, before, look.now + i + group - 1)) {
      return false;
    }
  }
  for (uint32_t i = 0; i < lanes; i += group) {
    const uint64_t index =
        static_cast<uint64_t>(request.offset + memo.wide[i]) >> shadow.granuleShift;
    remember<false>(look, shadow.reads, index, look.now + i);
    remember<false>(look, shadow.reads, index, look.now + i + group - 1);
  }
  return true;
}

/// Checks frequent patterns in shared memory. Returns false if lanes must be checked one by one.
inline bool checkPattern(const Instr& in, const Look& look, const Request& request) {
  const AddressPattern& memo = *request.memo;
  const CheckSite& site = *look.site;
  if (in.bytes != 1u << look.shadow->granuleShift || look.shadow->atomics[0] != nullptr ||
      look.shadow->reads[0] == nullptr ||
      request.offset + memo.lowest < static_cast<int64_t>(site.sharedBegin) ||
      static_cast<uint64_t>(request.offset + memo.highest) > site.sharedEnd) {
    return false;
  }
  switch (memo.run) {
    case 32:
      return checkRuns<32>(look, request);
    case 16:
      return checkRuns<16>(look, request);
    case 8:
      return checkRuns<8>(look, request);
    case 4:
      return checkRuns<4>(look, request);
    default:
      return !site.writes && memo.repeat != 0 && checkBroadcast(look, request);
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
