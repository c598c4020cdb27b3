// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/check_patterns.h"

/// Prepares the check of an access, and reports conflicts.
namespace tilestep::simt::TILESTEP_ENGINE {

/// `region` must be in global or shared memory.
inline Look lookAt(const Context& context, const Instr& in, const Region* region) {
  const CheckState& check = *context.check;
  Look look{};
  look.site = check.sites + in.site;
  look.region = region;
  if (region == &context.shared) {
    look.shadow = &check.shared;
    look.now = (check.time << kSharedTimeShift) | (Mark{in.site} << kSiteShift) | check.warp;
    look.floor = check.sharedFloor;
    look.warpFloor = check.sharedWarpFloor;
    look.start = check.sharedStart;
    return look;
  }
  look.shadow = check.globals + (region - context.regions);
  look.now = globalMark(check, in.site);
  look.floor = check.globalFloor;
  look.warpFloor = check.globalWarpFloor;
  look.blockMask = check.blockMask;
  return look;
}

/// The part of a lane's access that falls into one granule.
struct Granule {
  uint32_t lane;
  uint64_t offset;  ///< In the region.
  uint32_t part;    ///< Byte offset in the access.
};

/// Reports an access that does not seem to be ordered after the mark `before`.
[[gnu::noinline]] inline void meet(Context& context, const Instr& in, const Look& look,
                                   MarkRole role, Mark before, const Granule& at) {
  const Conflict conflict{role,        at.lane,   before, look.now | at.lane,
                          look.region, at.offset, at.part};
  context.check->conflict(context, in, conflict);
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
