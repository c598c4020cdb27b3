// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/check_patterns.h"

/// Records each access's use of memory (simt/use.h): the bytes, the cost of its request, and
/// whether threads communicate through shared memory.
namespace tilestep::simt::TILESTEP_ENGINE {

inline void markUse(uint8_t* marks, uint8_t use, uint32_t bytes) {
  if (use == kPlainUse) {
    __builtin_memset(marks, kPlainUse, bytes);
    return;
  }
  for (uint32_t i = 0; i < bytes; ++i) {
    if (marks[i] < use) marks[i] = use;
  }
}

inline uint8_t useOf(const CheckSite& site) {
  if (!site.ordered && !site.isVolatile) return kPlainUse;
  return site.atomic && !site.ofSystem ? kAtomicUse : kSpeakingUse;
}

inline void noteBytes(const Region& region, const CheckSite& site, uint64_t offset,
                      uint32_t bytes) {
  if (region.use.read == nullptr) return;
  const uint8_t use = useOf(site);
  region.use.pages[offset >> kUsePageBits] = 1;
  region.use.pages[(offset + bytes - 1) >> kUsePageBits] = 1;
  if (site.reads || site.atomic) markUse(region.use.read + offset, use, bytes);
  if (site.writes) markUse(region.use.written + offset, use, bytes);
}

/// Records the bytes of lanes that form a pattern.
inline void noteBytesOf(const Request& request, const CheckSite& site, uint32_t bytes) {
  if (request.region->use.read == nullptr) return;
  const AddressPattern& memo = *request.memo;
  const auto lanes = static_cast<uint32_t>(__builtin_popcount(memo.mask));
  const uint32_t step = memo.run != 0 ? memo.run : memo.repeat;
  if (step != 0) {
    for (uint32_t i = 0; i < lanes; i += step) {
      noteBytes(*request.region, site, static_cast<uint64_t>(request.offset + memo.wide[i]),
                memo.run != 0 ? step * bytes : bytes);
    }
    return;
  }
  for (uint32_t mask = memo.mask; mask != 0; mask &= mask - 1) {
    const int64_t at = request.offset + memo.wide[__builtin_ctz(mask)];
    noteBytes(*request.region, site, static_cast<uint64_t>(at), bytes);
  }
}

inline void addRequest(RequestUse& use, uint64_t units, uint64_t fewest) {
  ++use.requests;
  use.units += units;
  use.fewest += fewest;
}

inline void addGlobal(const Context& context, RequestUse& use, const Region* region,
                      uint32_t sectors, uint32_t distinctBytes) {
  use.region = static_cast<uint32_t>(region - context.regions);
  addRequest(use, sectors, (distinctBytes + 31) / 32);
}

inline void addShared(RequestUse& use, uint32_t wavefronts, uint32_t conflicts) {
  use.isShared = true;
  addRequest(use, wavefronts, wavefronts - conflicts);
}

/// Records a request whose lanes form a pattern, counted as by count() in access.h.
inline void noteRequest(const Context& context, const Instr& in, const Request& request) {
  RequestUse& use = context.check->requests[in.site];
  AddressPattern& memo = *request.memo;
  if (request.region == &context.shared)
    addShared(use, memo.wavefronts, memo.conflicts);
  else if (request.region->counted)
    addGlobal(context, use, request.region, sectorsAt(memo, request.offset), memo.distinctBytes);
}

/// The request of lanes that are processed one by one.
struct LanesApart {
  int64_t at[kLanes];
  uint32_t shared = 0, global = 0;  ///< Lanes that access this memory.
  const Region* region = nullptr;
};

inline void noteRequest(const Context& context, const Instr& in, const LanesApart& lanes) {
  RequestUse& use = context.check->requests[in.site];
  if (lanes.shared != 0) {
    const BankUse banks = banksOf(lanes.at, lanes.shared, in.bytes);
    addShared(use, banks.wavefronts, banks.wavefronts - (banks.words + kLanes - 1) / kLanes);
  }
  if (lanes.global != 0) {
    addGlobal(context, use, lanes.region, sectorsOf(lanes.at, lanes.global),
              distinctBytesOf(lanes.at, lanes.global, in.bytes));
  }
}

/// Records whether a lane's read of shared memory meets another thread's write. Must be called
/// before the access leaves its marks.
inline void notePassing(SharedUse& use, const Look& look, uint32_t lane, uint64_t offset,
                        uint32_t bytes) {
  if (use.passes) return;
  if (look.shadow->writes == nullptr) {
    use.passes = true;
    return;
  }
  const uint64_t step = uint64_t{1} << look.shadow->granuleShift;
  for (uint64_t at = offset; at < offset + bytes; at += step) {
    const Mark before = look.shadow->writes[at >> look.shadow->granuleShift];
    if (before >= look.start && ((before ^ (look.now | lane)) & kThreadMask) != 0)
      use.passes = true;
  }
}

inline void noteShared(const Context& context, const Instr& in, const Look& look, uint32_t lane,
                       uint64_t offset) {
  SharedUse& use = *context.check->sharedUse;
  use.passes = use.passes || look.site->atomic || in.isDeferred || in.isMatrix;
  if (look.site->writes) {
    ++use.writes;
  } else {
    ++use.reads;
    notePassing(use, look, lane, offset, in.bytes);
  }
}

inline void noteSharedOf(const Context& context, const Instr& in, const Look& look,
                         const Request& request) {
  SharedUse& use = *context.check->sharedUse;
  if (use.passes) return;
  for (uint32_t mask = request.memo->mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    noteShared(context, in, look, lane,
               static_cast<uint64_t>(request.offset + request.memo->wide[lane]));
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
