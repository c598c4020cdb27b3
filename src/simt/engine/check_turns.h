// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/check/state.h"
#include "simt/engine/access.h"
#include "simt/engine/turns.h"

/// Executes checked atomic operations lane by lane, with their releases and acquires.
namespace tilestep::simt::TILESTEP_ENGINE {

/// Calls `tell` for each active lane whose address is mapped.
[[gnu::noinline]] inline void tellLanes(Context& context, const Instr& in,
                                        const uint64_t* addresses,
                                        void (*tell)(Context&, const Instr&, uint32_t,
                                                     const Region*, uint64_t)) {
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const Place place = placeOf(context, in.space, addresses[lane]);
    if (place.region == nullptr || place.offset < 0) continue;
    tell(context, in, lane, place.region, static_cast<uint64_t>(place.offset));
  }
}

/// Copies the addresses, because the operation's result may overwrite their row.
inline void keepAddresses(const Context& context, const Instr& in, uint64_t* addresses) {
  for (uint32_t i = 0; i < kLanes; ++i) {
    const uint64_t base = in.wideAddress ? row<uint64_t>(context.registers, in.address)[i]
                                         : row<uint32_t>(context.registers, in.address)[i];
    addresses[i] = base + static_cast<uint64_t>(in.offset);
  }
}

/// A lane's value of a register, truncated to the width of the access.
inline uint64_t valueOf(const Context& context, const Instr& in, uint32_t reg, uint32_t lane) {
  const uint64_t all = in.wideResult ? row<uint64_t>(context.registers, reg)[lane]
                                     : row<uint32_t>(context.registers, reg)[lane];
  return in.bytes == 2 ? all & 0xffff : all;
}

/// Whether the memory holds a value other than `expected`, so that a compare-and-swap will fail and
/// must not release. Otherwise each attempt to acquire a held lock would be a release.
inline bool findsAnother(const Context& context, const Instr& in, uint64_t address,
                         uint64_t expected) {
  const Place place = placeOf(context, in.space, address);
  const auto offset = static_cast<uint64_t>(place.offset);
  const bool isThere = place.region != nullptr && place.offset >= 0 &&
                       offset + in.bytes <= place.region->bytes && address % in.bytes == 0;
  if (!isThere) return false;
  const uint8_t* at = place.region->host + offset;
  if (in.bytes == 2)
    return __atomic_load_n(reinterpret_cast<const uint16_t*>(at), __ATOMIC_RELAXED) != expected;
  if (in.bytes == 4)
    return __atomic_load_n(reinterpret_cast<const uint32_t*>(at), __ATOMIC_RELAXED) != expected;
  return __atomic_load_n(reinterpret_cast<const uint64_t*>(at), __ATOMIC_RELAXED) != expected;
}

/// Lanes take turns, so that each acquires only what earlier lanes released.
[[gnu::noinline]] inline void atomicsInTurn(Context& context, const Instr& in,
                                            const CheckSite& site, const uint64_t* addresses) {
  const uint32_t all = context.mask;
  const Turns turns = drawTurns(context);
  for (uint32_t k = 0, left = all; left != 0; ++k) {
    const uint32_t lane = turns[k];
    if ((left >> lane & 1) == 0) continue;
    left &= ~(1u << lane);
    context.mask = 1u << lane;
    const uint64_t expected = site.compares ? valueOf(context, site.access, in.a, lane) : 0;
    const bool keepsOff = site.compares && findsAnother(context, in, addresses[lane], expected);
    if (!keepsOff) tellLanes(context, in, addresses, context.check->release);
    site.access.op(context, site.access);
    // The operation may have succeeded after all, if another block has just written the expected
    // value.
    if (keepsOff && in.d != kNoRow && valueOf(context, site.access, in.d, lane) == expected)
      tellLanes(context, in, addresses, context.check->release);
    tellLanes(context, in, addresses, context.check->acquire);
  }
  context.mask = all;
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
