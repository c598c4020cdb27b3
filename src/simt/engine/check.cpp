// SPDX-License-Identifier: Apache-2.0
// The look at each memory access that --check adds: what it meets in the shadow of its memory, and
// the mark it leaves there. A mark that seems unordered goes to CheckState::conflict, which
// decides.
#include "simt/check/state.h"
#include "simt/engine/access.h"

// Loops of 16 lanes or fewer, which GCC would unroll where it could use vectors.
#if defined(__clang__)
#define TILESTEP_FEW_LANES TILESTEP_LANES
#else
#define TILESTEP_FEW_LANES TILESTEP_LANES _Pragma("GCC unroll 1")
#endif

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

/// What all lanes of an access share. `now` is lane 0's mark.
struct Look {
  const CheckSite* site;
  const Shadow* shadow;
  const Region* region;
  Mark now, floor, warpFloor;
  Mark start;      ///< Shared memory: marks below have not been written in this block.
  Mark blockMask;  ///< 0 in shared memory.
};

/// Marks of global memory are shared by the workers. Relaxed: two accesses at the same instant may
/// miss each other, which no order of theirs would repeat.
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

/// Program order, or a barrier of the block or the warp, lies between. Without branches.
inline bool inOrder(const Look& look, Mark before, Mark now) {
  const Mark differ = before ^ now;
  const bool ownBlock = (differ & look.blockMask) == 0;
  const bool ownThread = (differ & kThreadMask) == 0;
  const bool ownWarp = (differ & kWarpMask) == 0;
  const bool earlier = (before < look.floor) | ownThread | (ownWarp & (before < look.warpFloor));
  return (before == 0) | (ownBlock & earlier);
}

/// The first mark moves to the second place unless the one there says more: it is another
/// thread's, and another warp's or block's where the first is not.
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

struct Granule {
  uint32_t lane;
  uint64_t offset;  ///< In the region.
  uint32_t part;    ///< In the access.
};

[[gnu::noinline]] void meet(Context& context, const Instr& in, const Look& look, MarkRole role,
                            Mark before, const Granule& at) {
  const Conflict conflict{role,        at.lane,   before, look.now | at.lane,
                          look.region, at.offset, at.part};
  context.check->conflict(context, in, conflict);
}

template <bool global>
inline void checkGranule(Context& context, const Instr& in, const Look& look, const Granule& at) {
  const Shadow& shadow = *look.shadow;
  const uint64_t index = at.offset >> shadow.granuleShift;
  const Mark now = look.now | at.lane;
  const auto meets = [&](MarkRole role, const Mark* marks) {
    const Mark before = get<global>(marks + index);
    if (!inOrder(look, before, now)) meet(context, in, look, role, before, at);
  };
  meets(MarkRole::write, shadow.writes);
  if (look.site->writes && shadow.reads[0] != nullptr) {
    meets(MarkRole::read, shadow.reads[0]);
    meets(MarkRole::read, shadow.reads[1]);
  }
  if (!look.site->atomic && shadow.atomics[0] != nullptr) {
    meets(MarkRole::atomic, shadow.atomics[0]);
    meets(MarkRole::atomic, shadow.atomics[1]);
  }
  if (look.site->atomic) {
    remember<global>(look, shadow.atomics, index, now);
  } else if (look.site->writes) {
    set<global>(shadow.writes + index, now);
  } else if (shadow.reads[0] != nullptr) {
    remember<global>(look, shadow.reads, index, now);
  }
}

inline bool isUnwritten(const Look& look, uint64_t offset, uint32_t bytes) {
  const Shadow& shadow = *look.shadow;
  const uint64_t step = uint64_t{1} << shadow.granuleShift;
  for (uint64_t at = offset; at < offset + bytes; at += step) {
    const uint64_t index = at >> shadow.granuleShift;
    const bool byAtomic = shadow.atomics[0] != nullptr && shadow.atomics[0][index] >= look.start;
    if (shadow.writes[index] < look.start && !byAtomic) return true;
  }
  return false;
}

inline bool hasUnwritten(const uint8_t* written, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i) {
    if (written[i] == 0) return true;
  }
  return false;
}

/// Whether a lane's access to a matrix stays in its row, as far as the row is known.
inline bool staysInRow(const ColumnCheck& column, int64_t rows, int64_t offset, uint32_t bytes) {
  const int64_t at = offset - rows * static_cast<int64_t>(column.width);
  const auto rowBytes = static_cast<int64_t>(column.rowBytes);
  if (at >= 0 && at + bytes <= rowBytes) return true;
  const int64_t past = (at < 0 ? at - rowBytes + 1 : at) / rowBytes;
  return -past >= column.least && -past <= column.most && past != 0;
}

inline void checkColumn(Context& context, const Instr& in, const Look& look, uint32_t lane,
                        uint64_t offset, uint64_t address) {
  const ColumnCheck& column = look.site->column;
  if (column.row == kNoRow || look.region != context.regions + column.region) return;
  const auto rows = static_cast<int64_t>(row<uint64_t>(context.registers, column.row)[lane]);
  if (staysInRow(column, rows, static_cast<int64_t>(offset), in.bytes)) return;
  context.fault(context, in, lane, AccessFault::outsideRow, address);
}

/// The same of all lanes at once; true: some lane is to be looked at by itself.
inline bool anyOutsideRow(const Context& context, const Instr& in, const ColumnCheck& column,
                          const Request& request) {
  const uint64_t* rows = row<uint64_t>(context.registers, column.row);
  const uint64_t last = column.rowBytes - in.bytes;
  uint64_t outside = 0;
  for (uint32_t i = 0; i < kLanes; ++i) {
    const uint64_t at =
        static_cast<uint64_t>(request.offset + request.memo->wide[i]) - rows[i] * column.width;
    outside |= uint64_t{at > last} & context.lanes[i];
  }
  return outside != 0;
}

/// One lane's access to shared or global memory, at an offset that is inside the region.
template <bool global>
inline void checkLane(Context& context, const Instr& in, const Look& look, uint32_t lane,
                      uint64_t offset, uint64_t address) {
  const CheckSite& site = *look.site;
  if (site.reads) {
    const bool unwritten = global ? look.region->shadow != nullptr &&
                                        hasUnwritten(look.region->shadow + offset, in.bytes)
                                  : isUnwritten(look, offset, in.bytes);
    if (unwritten) context.fault(context, in, lane, AccessFault::uninitialised, address);
  }
  if (global) checkColumn(context, in, look, lane, offset, address);
  if (!global && (offset < site.sharedBegin || offset + in.bytes > site.sharedEnd)) {
    context.fault(context, in, lane, AccessFault::outsideArray, address);
  }
  if (look.shadow->writes == nullptr) return;
  for (uint32_t part = 0; part < in.bytes; part += 1u << look.shadow->granuleShift) {
    checkGranule<global>(context, in, look, {lane, offset + part, part});
  }
}

inline Look lookAt(const Context& context, const Instr& in, const Region* region) {
  const CheckState& check = *context.check;
  Look look{};
  look.site = check.sites + in.site;
  look.region = region;
  const Mark site = Mark{in.site} << kSiteShift;
  if (region == &context.shared) {
    look.shadow = &check.shared;
    look.now = (check.time << kSharedTimeShift) | site | check.warp;
    look.floor = check.sharedFloor;
    look.warpFloor = check.sharedWarpFloor;
    look.start = check.sharedStart;
    return look;
  }
  look.shadow = check.globals + (region - context.regions);
  const uint64_t latest = check.globalTimes - 2;
  const uint64_t since = check.time - check.blockStart;
  look.now = check.block | ((since < latest ? since : latest) << check.globalTimeShift) | site |
             check.warp;
  look.floor = check.globalFloor;
  look.warpFloor = check.globalWarpFloor;
  look.blockMask = check.blockMask;
  return look;
}

/// Local memory is a thread's own: nothing but what it has not written is to be found there.
inline void checkLocal(Context& context, const Instr& in, uint32_t lane, uint64_t offset,
                       uint64_t address) {
  if (offset + in.bytes > context.localBytes) return;
  uint8_t* written = context.check->localWritten + lane * context.localBytes + offset;
  const CheckSite& site = context.check->sites[in.site];
  if (site.reads && hasUnwritten(written, in.bytes)) {
    context.fault(context, in, lane, AccessFault::uninitialised, address);
  }
  if (site.writes) __builtin_memset(written, 1, in.bytes);
}

/// Lanes one by one; accesses that are not allowed are left to the access itself.
template <class A>
[[gnu::noinline]] void checkApart(Context& context, const Instr& in) {
  const A* addresses = row<A>(context.registers, in.address);
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const uint64_t address = uint64_t{addresses[lane]} + static_cast<uint64_t>(in.offset);
    const Place place = placeOf(context, in.space, address);
    if (place.offset < 0 || (address & (in.bytes - 1u)) != 0) continue;
    const auto offset = static_cast<uint64_t>(place.offset);
    if (place.region == nullptr) {
      checkLocal(context, in, lane, offset, address);
      continue;
    }
    if (offset + in.bytes > place.region->bytes || place.region == &context.param) continue;
    const Look look = lookAt(context, in, place.region);
    if (place.region == &context.shared)
      checkLane<false>(context, in, look, lane, offset, address);
    else
      checkLane<true>(context, in, look, lane, offset, address);
  }
}

/// Of neighbouring granules of shared memory, met by neighbouring lanes: no mark is unordered, and
/// none is before `start`.
template <uint32_t group>
inline bool allWell(const Look& look, const Mark* marks, Mark now, Mark start) {
  const Mark floor = look.floor, warpFloor = look.warpFloor;
  Mark bad = 0;
  TILESTEP_FEW_LANES
  for (uint32_t k = 0; k < group; ++k) {
    const Mark mark = marks[k], differ = mark ^ (now + k);
    const Mark open = Mark{mark >= floor} & Mark{(differ & kThreadMask) != 0} &
                      (Mark{(differ & kWarpMask) != 0} | Mark{mark >= warpFloor});
    bad |= open | Mark{mark < start};
  }
  return bad == 0;
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

/// Where the group of lanes that begins at `lane` lies in the shadow.
inline uint64_t granuleOf(const Look& look, const Request& request, uint32_t lane) {
  return static_cast<uint64_t>(request.offset + request.memo->wide[lane]) >>
         look.shadow->granuleShift;
}

/// Lanes that lie side by side in groups: a whole group at a time. False: take the lanes one by
/// one. Without early ends, which would make the compiler think little of what follows.
template <uint32_t group>
inline bool readRuns(const Look& look, const Request& request, uint32_t lanes) {
  const Shadow& shadow = *look.shadow;
  bool well = true;
  for (uint32_t i = 0; i < lanes; i += group) {
    const uint64_t at = granuleOf(look, request, i);
    well = well & allWell<group>(look, shadow.writes + at, look.now + i, look.start);
  }
  if (!well) [[unlikely]]
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
  bool well = true;
  for (uint32_t i = 0; i < lanes; i += group) {
    const uint64_t at = granuleOf(look, request, i);
    const Mark now = look.now + i;
    well = well & allWell<group>(look, shadow.writes + at, now, 0) &
           allWell<group>(look, shadow.reads[0] + at, now, 0) &
           allWell<group>(look, shadow.reads[1] + at, now, 0);
    if (!well) [[unlikely]]
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

/// Groups of lanes that read one place each: its first and last lane stand for the group.
inline bool checkBroadcast(const Look& look, const Request& request) {
  const Shadow& shadow = *look.shadow;
  const Memo& memo = *request.memo;
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

/// What most accesses of shared memory are. False: take the lanes one by one.
inline bool checkPattern(const Instr& in, const Look& look, const Request& request) {
  const Memo& memo = *request.memo;
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

inline void checkTogether(Context& context, const Instr& in, const Request& request) {
  const Look look = lookAt(context, in, request.region);
  const bool shared = request.region == &context.shared;
  if (shared) {
    if (checkPattern(in, look, request)) return;
  } else if (look.shadow->writes == nullptr &&
             (!look.site->reads || request.region->shadow == nullptr) &&
             (look.site->column.row == kNoRow ||
              !anyOutsideRow(context, in, look.site->column, request))) {
    return;
  }
  const Memo& memo = *request.memo;
  const bool window = shared && in.space == MemorySpace::generic;
  const uint64_t start = window ? kSharedWindow : request.region->start;
  for (uint32_t mask = memo.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const auto offset = static_cast<uint64_t>(request.offset + memo.wide[lane]);
    const uint64_t address = start + offset;
    if (shared)
      checkLane<false>(context, in, look, lane, offset, address);
    else
      checkLane<true>(context, in, look, lane, offset, address);
  }
}

inline void look(Context& context, const Instr& in) {
  Request request;
  const bool together = in.wideAddress ? locate<uint64_t>(context, in, request)
                                       : locate<uint32_t>(context, in, request);
  if (!together)
    in.wideAddress ? checkApart<uint64_t>(context, in) : checkApart<uint32_t>(context, in);
  else if (request.region != &context.param)
    checkTogether(context, in, request);
}

/// Tells of each lane's atomic operation on memory that there is.
[[gnu::noinline]] void tellLanes(Context& context, const Instr& in, const uint64_t* addresses,
                                 void (*tell)(Context&, const Instr&, uint32_t, const Region*,
                                              uint64_t)) {
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const Place place = placeOf(context, in.space, addresses[lane]);
    if (place.region == nullptr || place.offset < 0) continue;
    tell(context, in, lane, place.region, static_cast<uint64_t>(place.offset));
  }
}

/// What the operation's own result may overwrite.
inline void keepAddresses(const Context& context, const Instr& in, uint64_t* addresses) {
  for (uint32_t i = 0; i < kLanes; ++i) {
    const uint64_t base = in.wideAddress ? row<uint64_t>(context.registers, in.address)[i]
                                         : row<uint32_t>(context.registers, in.address)[i];
    addresses[i] = base + static_cast<uint64_t>(in.offset);
  }
}

}  // namespace

void checkedFence(Context& context, const Instr& in) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  context.check->fence(context, in);
}

void checked(Context& context, const Instr& in) {
  CheckState& check = *context.check;
  ++check.time;
  const CheckSite& site = check.sites[in.site];
  if (check.synchronises && (site.ordered || site.isVolatile)) {
    uint64_t addresses[kLanes];
    keepAddresses(context, in, addresses);
    look(context, in);
    if (site.writes) tellLanes(context, in, addresses, check.handOn);
    site.access.op(context, site.access);
    if (site.reads || site.atomic) tellLanes(context, in, addresses, check.takeOver);
    return;
  }
  look(context, in);
  site.access.op(context, site.access);
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
