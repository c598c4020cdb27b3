// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/check_patterns.h"

/// How one access is looked at: with what it is compared, and who is told.
namespace tilestep::simt::TILESTEP_ENGINE {

/// `region` is global or shared memory.
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

/// The part of one lane's access that one mark speaks of.
struct Granule {
  uint32_t lane;
  uint64_t offset;  ///< In the region.
  uint32_t part;    ///< In the access.
};

/// What the span of late loads speaks of: an offset in shared memory, or an address.
template <bool global>
inline uint64_t spanned(const Region* region, uint64_t offset) {
  return global ? region->start + offset : offset;
}

/// Notes a load that is looked at late: from here on, marks that are replaced there are kept.
template <bool global>
inline void spanLate(CheckState& check, const Region* region, uint64_t offset, uint32_t bytes) {
  LateSpan& span = global ? check.lateGlobal : check.lateShared;
  const uint64_t begin = spanned<global>(region, offset);
  if (begin < span.begin) span.begin = begin;
  if (begin + bytes > span.end) span.end = begin + bytes;
}

/// Keeps a mark that is about to be replaced, if a late load may still be compared with it.
template <bool global>
inline void keepOverwritten(Context& context, const Look& look, MarkRole role, const Mark* marks,
                            const Granule& at) {
  const CheckState& check = *context.check;
  const LateSpan& span = global ? check.lateGlobal : check.lateShared;
  const uint64_t place = spanned<global>(look.region, at.offset);
  if (place >= span.end || place + (1u << look.shadow->granuleShift) <= span.begin) return;
  const uint64_t index = at.offset >> look.shadow->granuleShift;
  const Mark mark = get<global>(marks + index);
  if (mark > look.start) check.overwritten(context, look.region, index, {role, mark});
}

/// Tells of an access that meets a mark with which it is not in order.
[[gnu::noinline]] inline void meet(Context& context, const Instr& in, const Look& look,
                                   MarkRole role, Mark before, const Granule& at) {
  const Conflict conflict{role,        at.lane,   before, look.now | at.lane,
                          look.region, at.offset, at.part};
  context.check->conflict(context, in, conflict);
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
