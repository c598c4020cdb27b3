// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/check/state.h"
#include "simt/engine/access.h"

// Loops of at most 16 lanes, which GCC would unroll instead of using vectors.
#if defined(__clang__)
#define TILESTEP_FEW_LANES TILESTEP_LANES
#else
#define TILESTEP_FEW_LANES TILESTEP_LANES _Pragma("GCC unroll 1")
#endif

/// Compares an access with the marks in the shadow of its memory: the rules for one mark, and for
/// whole rows of shared memory at a time if the lanes form a pattern.
namespace tilestep::simt::TILESTEP_ENGINE {

/// Data shared by all lanes of an access. `now` is lane 0's mark.
struct Look {
  const CheckSite* site;
  const Shadow* shadow;
  const Region* region;
  Mark now, floor, warpFloor;
  Mark start;      ///< Shared memory: marks below were not written in this block.
  Mark blockMask;  ///< 0 in shared memory.
};

/// Marks of global memory are shared by the workers. With relaxed order, two accesses at the same
/// instant may miss each other.
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

/// Whether program order, or a barrier of the block or the warp, orders the two. Branch-free.
inline bool inOrder(const Look& look, Mark before, Mark now) {
  const Mark differ = before ^ now;
  const bool ownBlock = (differ & look.blockMask) == 0;
  const bool ownThread = (differ & kThreadMask) == 0;
  const bool ownWarp = (differ & kWarpMask) == 0;
  const bool earlier = (before < look.floor) | ownThread | (ownWarp & (before < look.warpFloor));
  return (before == 0) | (ownBlock & earlier);
}

/// The first mark moves to the second place unless the one there is more useful, which is the case
/// if it is another thread's, and another warp's or block's while the first is not.
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

/// Compares the marks of neighbouring granules of shared memory that neighbouring lanes access. Not
/// 0 if a mark is unordered, or before `start`.
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

/// The place in the shadow of the group of lanes that begins at `lane`.
inline uint64_t granuleOf(const Look& look, const Request& request, uint32_t lane) {
  return static_cast<uint64_t>(request.offset + request.memo->wide[lane]) >>
         look.shadow->granuleShift;
}

/// For lanes that lie side by side in groups: a whole group at a time. False: process the lanes one
/// by one. Has no early returns, after which the compiler would optimise less.
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
  // One after the other: a second group on the same granules must meet the first one's marks.
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

/// Groups of lanes that read one place each: its first and last lanes represent the group.
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

/// The most frequent accesses to shared memory. False: process the lanes one by one.
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
