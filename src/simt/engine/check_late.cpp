// SPDX-License-Identifier: Apache-2.0
// The look at a load where its value is used (see simt/check/late_loads.h).
#include "simt/engine/check_look.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

/// The look at a load of which `time` is past: marks from after the next barrier are ordered with
/// it.
template <bool global>
inline void checkLateLane(Context& context, const Instr& load, const Region* region, uint32_t lane,
                          uint64_t offset, uint64_t time) {
  const CheckState& check = *context.check;
  BarriersAround around{};
  if (!check.barriersAround(context, time, lane, around)) return;
  Look look = lookAt(context, load, region);
  if (look.shadow->writes == nullptr) return;
  const Mark site = Mark{load.site} << kSiteShift;
  const auto markAt = [&](uint64_t when, uint64_t latest) {
    const uint64_t since = when - check.blockStart;
    return global ? check.block | (since < latest ? since : latest) << check.globalTimeShift
                  : when << kSharedTimeShift;
  };
  // Marks that have run out of times are in order with barriers (BlockChecker::globalFloor).
  const uint64_t latest = check.globalTimes - 2;
  look.now = markAt(time, latest) | site | check.warp;
  look.floor = markAt(around.before, latest + 1);
  look.warpFloor = markAt(around.ofWarp, latest + 1);
  const bool isPast = around.next != ~uint64_t{0};
  const Mark behind = isPast ? markAt(around.next, latest) : 0;
  const bool hasMet = around.nextOfLane != ~uint64_t{0};
  const Mark behindMeeting = hasMet ? markAt(around.nextOfLane, latest) : 0;
  const Shadow& shadow = *look.shadow;
  for (uint32_t part = 0; part < load.bytes; part += 1u << shadow.granuleShift) {
    const uint64_t index = (offset + part) >> shadow.granuleShift;
    const Granule at{lane, offset + part, part};
    const auto meets = [&](MarkRole role, const Mark* marks) {
      const Mark mark = get<global>(marks + index);
      const bool isOwnBlock = ((mark ^ look.now) & look.blockMask) == 0;
      if (isPast && isOwnBlock && mark >= behind) return;
      const bool isOwnWarp = isOwnBlock && ((mark ^ look.now) & kWarpMask) == 0;
      if (hasMet && isOwnWarp && mark >= behindMeeting &&
          (around.lanesOfNext >> (mark & kLaneMask) & 1) != 0)
        return;
      if (!inOrder(look, mark, look.now | lane)) meet(context, load, look, role, mark, at);
    };
    meets(MarkRole::write, shadow.writes);
    if (shadow.atomics[0] != nullptr) {
      meets(MarkRole::atomic, shadow.atomics[0]);
      meets(MarkRole::atomic, shadow.atomics[1]);
    }
    // What the block writes from now on comes behind the barrier, too.
    if (shadow.reads[0] != nullptr && (global || !isPast))
      remember<global>(look, shadow.reads, index, look.now | lane);
  }
}

}  // namespace

void checkedLate(Context& context, const Instr& in) {
  const Instr& load = context.check->sites[in.site].access;
  uint64_t* loaded = row<uint64_t>(context.registers, in.a);
  const uint32_t* predicate = in.c == kNoRow ? nullptr : row<uint32_t>(context.registers, in.c);
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const bool isUsed = predicate == nullptr || (predicate[lane] != 0) != (in.elements != 0);
    if (loaded[lane] == 0 || !isUsed) continue;
    const uint64_t base = load.wideAddress ? row<uint64_t>(context.registers, load.address)[lane]
                                           : row<uint32_t>(context.registers, load.address)[lane];
    const Place place = placeOf(context, load.space, base + static_cast<uint64_t>(load.offset));
    const auto offset = static_cast<uint64_t>(place.offset);
    const bool isThere = place.region != nullptr && place.offset >= 0 &&
                         place.region != &context.param &&
                         offset + load.bytes <= place.region->bytes;
    if (!isThere) continue;
    if (place.region == &context.shared)
      checkLateLane<false>(context, load, place.region, lane, offset, loaded[lane]);
    else
      checkLateLane<true>(context, load, place.region, lane, offset, loaded[lane]);
    loaded[lane] = 0;  // It is looked at once.
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
