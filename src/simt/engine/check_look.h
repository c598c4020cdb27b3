// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/check_patterns.h"

/// How one access is checked: what it is compared with, and where its result is reported.
namespace tilestep::simt::TILESTEP_ENGINE {

/// `region` is global or shared memory.
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

/// The part of one lane's access that one mark describes.
struct Granule {
  uint32_t lane;
  uint64_t offset;  ///< In the region.
  uint32_t part;    ///< In the access.
};

/// Reports an access that meets a mark with which it is not ordered.
[[gnu::noinline]] inline void meet(Context& context, const Instr& in, const Look& look,
                                   MarkRole role, Mark before, const Granule& at) {
  const Conflict conflict{role,        at.lane,   before, look.now | at.lane,
                          look.region, at.offset, at.part};
  context.check->conflict(context, in, conflict);
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
