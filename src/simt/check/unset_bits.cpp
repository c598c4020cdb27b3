// SPDX-License-Identifier: Apache-2.0
#include "simt/check/unset_bits.h"

#include <algorithm>
#include <cstring>

#include "simt/check/unset_results.h"

namespace tilestep::simt {
namespace {

uint64_t* bitsAt(const Context& context, uint32_t row) {
  return reinterpret_cast<uint64_t*>(context.registers + row);
}
uint32_t* originsAt(const Context& context, uint32_t row) {
  return reinterpret_cast<uint32_t*>(context.registers + row + kWideRow);
}
uint32_t* wordsAt(const Context& context, uint32_t row) {
  return reinterpret_cast<uint32_t*>(context.registers + row);
}

uint64_t valueAt(const Context& context, uint32_t row, bool wide, uint32_t lane) {
  if (row == kNoRow) return 0;
  return wide ? bitsAt(context, row)[lane] : wordsAt(context, row)[lane];
}

/// The lowest origin among those with bits set.
uint32_t firstOrigin(Unset a, Unset b) {
  if (a.bits == 0 || b.bits == 0) return a.bits != 0 ? a.origin : b.origin;
  return std::min(a.origin, b.origin);
}

Unset either(Unset a, Unset b) {
  return {a.bits | b.bits, firstOrigin(a, b)};
}

Unset whole(Unset from) {
  return from.bits == 0 ? from : Unset{~uint64_t{0}, from.origin};
}

Unset within(Unset from, uint64_t bits) {
  from.bits &= bits;
  return from.bits == 0 ? Unset{} : from;
}

/// Sets the companion of each active lane to make(lane).
template <class Make>
void forEachLane(Context& context, const Instr& in, Make make) {
  if (*context.check->warpHasUnset == 0) return;
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    setUnset(context, in.d, lane, make(lane));
  }
}

void tell(Context& context, const Instr& in, bool inPart) {
  if (*context.check->warpHasUnset == 0) return;
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const Unset unset = within(unsetAt(context, in.a, lane), static_cast<uint64_t>(in.offset));
    if (unset.bits != 0) context.check->reportUse(context, in, lane, unset.origin, inPart);
  }
}

}  // namespace

Unset unsetAt(const Context& context, uint32_t row, uint32_t lane) {
  if (row == kNoRow || *context.check->warpHasUnset == 0) return {};
  return {bitsAt(context, row)[lane], originsAt(context, row)[lane]};
}

void setUnset(const Context& context, uint32_t row, uint32_t lane, Unset unset) {
  bitsAt(context, row)[lane] = unset.bits;
  originsAt(context, row)[lane] = unset.bits == 0 ? 0 : unset.origin;
}

void startUnset(const Context& context) {
  CheckState& check = *context.check;
  if (*check.warpHasUnset != 0) return;
  *check.warpHasUnset = 1;
  for (uint32_t i = 0; i < check.companionCount; ++i)
    std::memset(context.registers + check.companions[i], 0, kCompanionBytes);
}

namespace unset_ops {

void open(Context& context, const Instr& in) {
  if (in.offset != 0) startUnset(context);
  const Unset unset = in.offset != 0 ? Unset{~uint64_t{0}, UnsetOrigin::kNever} : Unset{};
  forEachLane(context, in, [&](uint32_t) { return unset; });
}

void follow(Context& context, const Instr& in) {
  if (*context.check->warpHasUnset == 0) return;
  const UnsetRule& rule = context.check->unsetRules[in.site];
  const uint64_t width = lowestBits(rule.bits), result = lowestBits(rule.resultBits);
  const uint32_t companions[] = {in.a, in.b, in.c}, values[] = {in.address, in.target, in.memo};
  forEachLane(context, in, [&](uint32_t lane) {
    UnsetSources sources;
    sources.bits = rule.bits;
    sources.form = rule.form;
    UnsetSource* const all[] = {&sources.a, &sources.b, &sources.c};
    Unset origin;
    for (unsigned i = 0; i < 3; ++i) {
      const Unset unset = within(unsetAt(context, companions[i], lane), width);
      all[i]->unset = unset.bits;
      all[i]->value = valueAt(context, values[i], (in.elements >> i & 1) != 0, lane) & width;
      origin = either(origin, unset);
    }
    if (origin.bits == 0) return Unset{};
    return Unset{rule.result(sources) & result, origin.origin};
  });
}

void spread(Context& context, const Instr& in) {
  forEachLane(context, in, [&](uint32_t lane) {
    const Unset from = unsetAt(context, in.a, lane);
    return from.bits != 0 ? whole(from) : unsetAt(context, in.d, lane);
  });
}

void join(Context& context, const Instr& in) {
  forEachLane(context, in, [&](uint32_t lane) {
    Unset joined;
    int64_t at = 0;
    for (const uint32_t row : {in.a, in.b, in.c, in.address}) {
      const Unset part = within(unsetAt(context, row, lane), lowestBits(in.offset));
      joined = either(joined, {part.bits << at, part.origin});
      at += in.offset;
      if (at >= 64) break;
    }
    return joined;
  });
}

void choose(Context& context, const Instr& in) {
  forEachLane(context, in, [&](uint32_t lane) {
    const Unset by = unsetAt(context, in.address, lane);
    if (by.bits != 0) return whole(by);
    return unsetAt(context, wordsAt(context, in.c)[lane] != 0 ? in.a : in.b, lane);
  });
}

void numberLanes(Context& context, const Instr& in) {
  uint32_t* numbers = wordsAt(context, in.d);
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    numbers[lane] = (context.mask >> lane & 1) != 0 ? lane : lane + kLanes;
}

void takeFrom(Context& context, const Instr& in) {
  const uint32_t* from = wordsAt(context, in.b);
  const auto isAbsent = [&](uint32_t lane) { return from[lane] >= kLanes; };
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    if (isAbsent(static_cast<uint32_t>(__builtin_ctz(mask)))) startUnset(context);
  }
  if (*context.check->warpHasUnset == 0) return;
  Unset before[kLanes];
  for (uint32_t lane = 0; lane < kLanes; ++lane) before[lane] = unsetAt(context, in.a, lane);
  forEachLane(context, in, [&](uint32_t lane) {
    return isAbsent(lane) ? Unset{~uint64_t{0}, UnsetOrigin::kAbsent + in.source}
                          : before[from[lane]];
  });
}

void use(Context& context, const Instr& in) {
  tell(context, in, false);
}

void useInPart(Context& context, const Instr& in) {
  tell(context, in, true);
}

}  // namespace unset_ops
}  // namespace tilestep::simt
