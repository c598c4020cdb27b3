// SPDX-License-Identifier: Apache-2.0
// The check that --check adds to each memory access. It compares the access with the marks in the
// memory's shadow and leaves its own mark there. CheckState::conflict examines apparent conflicts.
#include "simt/engine/check_look.h"
#include "simt/engine/check_turns.h"
#include "simt/engine/check_use.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

/// Whether the latest atomic operation on the granule returned the old value, and this access is
/// ordered after it by program order or a barrier. For example, the last block resets a counter.
template <bool global>
inline bool isAnswered(const Context& context, const Look& look, uint64_t index, Mark now) {
  const Mark latest = get<global>(look.shadow->atomics[0] + index);
  if (latest == 0 || !inOrder(look, latest, now) || (!global && latest < look.start)) return false;
  const CheckState& check = *context.check;
  const unsigned bits = (global ? check.globalTimeShift : kSharedTimeShift) - kSiteShift;
  return check.sites[latest >> kSiteShift & ((Mark{1} << bits) - 1)].answers;
}

template <bool global>
inline void checkGranule(Context& context, const Instr& in, const Look& look, const Granule& at) {
  const Shadow& shadow = *look.shadow;
  const uint64_t index = at.offset >> shadow.granuleShift;
  const Mark now = look.now | at.lane;
  const auto meets = [&](MarkRole role, const Mark* marks) {
    const Mark before = get<global>(marks + index);
    const bool mayMiss = look.site->nonCoherent && before != 0;
    if (!inOrder(look, before, now) || mayMiss) meet(context, in, look, role, before, at);
  };
  meets(MarkRole::write, shadow.writes);
  if (look.site->writes && shadow.reads[0] != nullptr) {
    meets(MarkRole::read, shadow.reads[0]);
    meets(MarkRole::read, shadow.reads[1]);
  }
  const bool meetsAtomics = !look.site->atomic || shadow.atomicsMayRace;
  if (meetsAtomics && shadow.atomics[0] != nullptr) {
    if (!look.site->writes || look.site->atomic || !isAnswered<global>(context, look, index, now)) {
      meets(MarkRole::atomic, shadow.atomics[0]);
      meets(MarkRole::atomic, shadow.atomics[1]);
    }
  }
  if (look.site->atomic) {
    remember<global>(look, shadow.atomics, index, now);
  } else if (look.site->writes) {
    set<global>(shadow.writes + index, now);
  } else if (shadow.reads[0] != nullptr) {
    remember<global>(look, shadow.reads, index, now);
  }
}

/// Whether a value that was never set was stored in any of these bytes of shared memory.
inline bool holdsUnset(const CheckState& check, uint64_t offset, uint32_t bytes) {
  for (uint32_t i = 0; check.sharedHoldsUnset && i < bytes; ++i) {
    if (check.sharedUnset[offset + i] != 0) return true;
  }
  return false;
}

inline bool isUnwritten(const Context& context, const Look& look, uint64_t offset, uint32_t bytes) {
  if (holdsUnset(*context.check, offset, bytes)) return true;
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

/// Reports a lane's read of memory that is partly unset. unsetAt(i) returns the mask of the bits of
/// byte i without a value.
template <class UnsetAt>
[[gnu::noinline]] void tellUnwritten(Context& context, const Instr& in, uint32_t lane,
                                     uint64_t address, bool wasStored, UnsetAt unsetAt) {
  uint8_t unset[32] = {};  // The longest access is a vector of four 64-bit elements.
  for (uint32_t i = 0; i < in.bytes && i < sizeof unset; ++i) unset[i] = unsetAt(i);
  context.check->foundUnwritten(context, in, lane, address, unset, wasStored);
}

template <bool global>
inline void checkWritten(Context& context, const Instr& in, const Look& look, uint32_t lane,
                         uint64_t offset, uint64_t address) {
  const uint8_t none = 0xff;
  if constexpr (global) {
    const uint8_t* written = look.region->shadow;
    if (written == nullptr || !hasUnwritten(written + offset, in.bytes)) return;
    tellUnwritten(context, in, lane, address, false,
                  [&](uint32_t i) { return written[offset + i] == 0 ? none : uint8_t{0}; });
  } else {
    if (!isUnwritten(context, look, offset, in.bytes)) return;
    const CheckState& check = *context.check;
    const bool wasStored = holdsUnset(check, offset, in.bytes);
    tellUnwritten(context, in, lane, address, wasStored, [&](uint32_t i) {
      const uint8_t stored = check.sharedHoldsUnset ? check.sharedUnset[offset + i] : uint8_t{0};
      return stored == 0 && isUnwritten(context, look, offset + i, 1) ? none : stored;
    });
  }
}

/// Whether any of the bytes is not allocated.
inline bool isOutside(const uint8_t* given, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i) {
    if (__atomic_load_n(given + i, __ATOMIC_RELAXED) == 0) return true;
  }
  return false;
}

/// Whether a lane's access to a matrix stays in its row, or may do so if the row is uncertain.
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

/// Whether any lane may be outside its row. Then the lanes must be checked one by one.
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

/// Checks one lane's access to shared or global memory. `offset` must be inside the region.
template <bool global>
inline void checkLane(Context& context, const Instr& in, const Look& look, uint32_t lane,
                      uint64_t offset, uint64_t address) {
  const CheckSite& site = *look.site;
  if (global && look.region->given != nullptr && isOutside(look.region->given + offset, in.bytes)) {
    return context.fault(context, in, lane, AccessFault::outsideAllocation, address);
  }
  if (site.reads) checkWritten<global>(context, in, look, lane, offset, address);
  if (global) checkColumn(context, in, look, lane, offset, address);
  if (!global && (offset < site.sharedBegin || offset + in.bytes > site.sharedEnd)) {
    context.fault(context, in, lane, AccessFault::outsideArray, address);
  }
  if (look.shadow->writes == nullptr) return;
  for (uint32_t part = 0; part < in.bytes; part += 1u << look.shadow->granuleShift) {
    checkGranule<global>(context, in, look, {lane, offset + part, part});
  }
}

/// Local memory belongs to one thread, so the only possible finding is a read of an unset value.
inline void checkLocal(Context& context, const Instr& in, uint32_t lane, uint64_t offset,
                       uint64_t address) {
  if (offset + in.bytes > context.localBytes) return;
  uint8_t* unset = context.check->localUnset + lane * context.localBytes + offset;
  const CheckSite& site = context.check->sites[in.site];
  uint8_t any = 0;
  for (uint32_t i = 0; i < in.bytes; ++i) any |= unset[i];
  if (site.reads && any != 0)
    tellUnwritten(context, in, lane, address, false, [&](uint32_t i) { return unset[i]; });
  if (site.writes) __builtin_memset(unset, 0, in.bytes);
}

/// Checks lanes one by one. Invalid accesses are reported later, by the access itself.
template <class A>
[[gnu::noinline]] void checkApart(Context& context, const Instr& in) {
  const A* addresses = row<A>(context.registers, in.address);
  LanesApart lanes;
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const uint64_t address = uint64_t{addresses[lane]} + static_cast<uint64_t>(in.offset);
    lanes.at[lane] = static_cast<int64_t>(address);
    const Place place = placeOf(context, in.space, address);
    if (place.offset < 0 || (address & (in.bytes - 1u)) != 0) continue;
    const auto offset = static_cast<uint64_t>(place.offset);
    if (place.region == nullptr) {
      checkLocal(context, in, lane, offset, address);
      continue;
    }
    if (offset + in.bytes > place.region->bytes || place.region == &context.param) continue;
    const Look look = lookAt(context, in, place.region);
    if (place.region == &context.shared) {
      noteShared(context, in, look, lane, offset);
      lanes.shared |= 1u << lane;
      checkLane<false>(context, in, look, lane, offset, address);
    } else {
      noteBytes(*place.region, *look.site, offset, in.bytes);
      if (place.region->counted) {
        lanes.region = place.region;
        lanes.global |= 1u << lane;
      }
      checkLane<true>(context, in, look, lane, offset, address);
    }
  }
  noteRequest(context, in, lanes);
}

inline void checkTogether(Context& context, const Instr& in, const Request& request) {
  const Look look = lookAt(context, in, request.region);
  const bool shared = request.region == &context.shared;
  noteRequest(context, in, request);
  if (shared)
    noteSharedOf(context, in, look, request);
  else
    noteBytesOf(request, *look.site, in.bytes);
  if (shared) {
    if (!context.check->sharedHoldsUnset && checkPattern(in, look, request)) return;
  } else if (look.shadow->writes == nullptr && request.region->given == nullptr &&
             (!look.site->reads || request.region->shadow == nullptr) &&
             (look.site->column.row == kNoRow ||
              !anyOutsideRow(context, in, look.site->column, request))) {
    return;
  }
  const AddressPattern& memo = *request.memo;
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

/// Records which bits of each lane's stored value are unset.
[[gnu::noinline]] void tellStored(Context& context, const Instr& in) {
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const uint64_t base = in.wideAddress ? row<uint64_t>(context.registers, in.address)[lane]
                                         : row<uint32_t>(context.registers, in.address)[lane];
    const Place place = placeOf(context, in.space, base + static_cast<uint64_t>(in.offset));
    const uint64_t bytes = place.region == nullptr ? context.localBytes : place.region->bytes;
    const auto offset = static_cast<uint64_t>(place.offset);
    if (place.offset < 0 || offset + in.bytes > bytes) continue;
    context.check->noteStored(context, in, lane, place.region, offset);
  }
}

inline void look(Context& context, const Instr& in) {
  CheckState& check = *context.check;
  const CheckSite& site = check.sites[in.site];
  if (*check.warpHasUnset != 0 && site.unwritten == OnUnwritten::follow)
    check.clearCompanions(context, in);
  Request request;
  const bool together = in.wideAddress ? locate<uint64_t>(context, in, request)
                                       : locate<uint32_t>(context, in, request);
  if (!together)
    in.wideAddress ? checkApart<uint64_t>(context, in) : checkApart<uint32_t>(context, in);
  else if (request.region != &context.param)
    checkTogether(context, in, request);
  if (site.writes && !in.isDeferred && (*check.warpHasUnset != 0 || check.sharedHoldsUnset))
    tellStored(context, in);
}

void lookAndRun(Context& context, const Instr& in, const CheckSite& site) {
  CheckState& check = *context.check;
  if (!check.synchronises || !(site.ordered || site.isVolatile)) {
    look(context, in);
    return site.access.op(context, site.access);
  }
  uint64_t addresses[kLanes];
  keepAddresses(context, in, addresses);
  look(context, in);
  if (site.atomic) return atomicsInTurn(context, in, site, addresses);
  if (site.writes) tellLanes(context, in, addresses, check.release);
  site.access.op(context, site.access);
  if (site.reads) tellLanes(context, in, addresses, check.acquire);
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
  if (check.publishStore != nullptr && site.writes && !site.atomic &&
      in.space != MemorySpace::shared)
    check.publishStore(context, in);
  const bool answersInGlobal = site.answers && in.space != MemorySpace::shared;
  if (answersInGlobal) check.beginAnswer(context);
  lookAndRun(context, in, site);
  if (answersInGlobal) check.endAnswer(context);
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
