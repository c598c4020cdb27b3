// SPDX-License-Identifier: Apache-2.0
#include "simt/check/unset_bits.h"

#include <algorithm>
#include <cstring>

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

uint64_t valueAt(const Context& context, const Instr& in, uint32_t row, uint32_t lane) {
  return in.wideResult ? bitsAt(context, row)[lane] : wordsAt(context, row)[lane];
}

/// The bits of the values of an operation.
uint64_t widthOf(const Instr& in) {
  return in.wideResult ? ~uint64_t{0} : 0xffffffffu;
}

uint64_t lowest(int64_t count) {
  return count >= 64 ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

/// The first of what two values come from, if their bits are taken.
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
  if (*context.check->unset == 0) return;
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    setUnset(context, in.d, lane, make(lane));
  }
}

/// The same, where the bits follow from those of `a` alone.
template <class Change>
void forEachLaneOfA(Context& context, const Instr& in, Change change) {
  forEachLane(context, in, [&](uint32_t lane) {
    const Unset a = unsetAt(context, in.a, lane);
    return Unset{change(a.bits), a.origin};
  });
}

/// The same, where the bits follow from those of `a` and `b`.
template <class Change>
void forEachLaneOfBoth(Context& context, const Instr& in, Change change) {
  forEachLane(context, in, [&](uint32_t lane) {
    const Unset a = unsetAt(context, in.a, lane), b = unsetAt(context, in.b, lane);
    return Unset{change(lane, a.bits, b.bits), firstOrigin(a, b)};
  });
}

/// `count` bits with the sign before them.
uint64_t signExtended(uint64_t bits, int64_t count) {
  bits &= lowest(count);
  const bool sign = count != 0 && (bits >> (count - 1) & 1) != 0;
  return sign ? bits | ~lowest(count) : bits;
}

template <class Change>
void shift(Context& context, const Instr& in, Change change) {
  forEachLane(context, in, [&](uint32_t lane) {
    const Unset by = unsetAt(context, in.b, lane);
    if (by.bits != 0) return whole(by);
    const Unset a = unsetAt(context, in.a, lane);
    const int64_t count = std::min<int64_t>(wordsAt(context, in.c)[lane], in.offset);
    return Unset{change(a.bits & lowest(in.offset), count), a.origin};
  });
}

/// A comparison and the predicate that it is combined with, which decides alone where it has this
/// value.
void compare(Context& context, const Instr& in, bool decidingValue) {
  forEachLane(context, in, [&](uint32_t lane) {
    const Unset other = unsetAt(context, in.c, lane);
    const bool value = wordsAt(context, in.address)[lane] != 0;
    if (other.bits == 0 && value == decidingValue) return Unset{};
    const auto bits = static_cast<uint64_t>(in.offset);
    const Unset a = within(unsetAt(context, in.a, lane), bits);
    const Unset b = within(unsetAt(context, in.b, lane), bits);
    return whole(either(either(a, b), other));
  });
}

void tell(Context& context, const Instr& in, bool inPart) {
  if (*context.check->unset == 0) return;
  for (uint32_t mask = context.mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(mask));
    const Unset unset = within(unsetAt(context, in.a, lane), static_cast<uint64_t>(in.offset));
    if (unset.bits != 0) context.check->used(context, in, lane, unset.origin, inPart);
  }
}

}  // namespace

Unset unsetAt(const Context& context, uint32_t row, uint32_t lane) {
  if (row == kNoRow) return {};
  return {bitsAt(context, row)[lane], originsAt(context, row)[lane]};
}

void setUnset(const Context& context, uint32_t row, uint32_t lane, Unset unset) {
  bitsAt(context, row)[lane] = unset.bits;
  originsAt(context, row)[lane] = unset.bits == 0 ? 0 : unset.origin;
}

void startUnset(const Context& context) {
  CheckState& check = *context.check;
  if (*check.unset != 0) return;
  *check.unset = 1;
  for (uint32_t i = 0; i < check.companionCount; ++i)
    std::memset(context.registers + check.companions[i], 0, kCompanionBytes);
}

namespace unset_ops {

void open(Context& context, const Instr& in) {
  if (in.offset != 0) startUnset(context);
  const Unset unset = in.offset != 0 ? Unset{~uint64_t{0}, UnsetOrigin::kNever} : Unset{};
  forEachLane(context, in, [&](uint32_t) { return unset; });
}

void any(Context& context, const Instr& in) {
  forEachLane(context, in, [&](uint32_t lane) {
    Unset all = unsetAt(context, in.address, lane);
    for (const uint32_t row : {in.a, in.b, in.c}) {
      const Unset source = within(unsetAt(context, row, lane), static_cast<uint64_t>(in.offset));
      all = either(all, source);
    }
    return whole(all);
  });
}

void each(Context& context, const Instr& in) {
  forEachLaneOfBoth(context, in, [](uint32_t, uint64_t a, uint64_t b) { return a | b; });
}

void bothSet(Context& context, const Instr& in) {
  forEachLaneOfBoth(context, in, [&](uint32_t lane, uint64_t a, uint64_t b) {
    return widthOf(in) & ((a & b) | (a & valueAt(context, in, in.address, lane)) |
                          (b & valueAt(context, in, in.c, lane)));
  });
}

void eitherSet(Context& context, const Instr& in) {
  forEachLaneOfBoth(context, in, [&](uint32_t lane, uint64_t a, uint64_t b) {
    return widthOf(in) & ((a & b) | (a & ~valueAt(context, in, in.address, lane)) |
                          (b & ~valueAt(context, in, in.c, lane)));
  });
}

void shiftLeft(Context& context, const Instr& in) {
  shift(context, in, [](uint64_t a, int64_t count) { return count >= 64 ? 0 : a << count; });
}

void shiftRight(Context& context, const Instr& in) {
  shift(context, in, [](uint64_t a, int64_t count) { return count >= 64 ? 0 : a >> count; });
}

void shiftRightSigned(Context& context, const Instr& in) {
  shift(context, in, [&](uint64_t a, int64_t count) {
    const auto extended = static_cast<int64_t>(signExtended(a, in.offset));
    return static_cast<uint64_t>(extended >> std::min<int64_t>(count, 63));
  });
}

void extend(Context& context, const Instr& in) {
  forEachLaneOfA(context, in, [&](uint64_t a) { return a & lowest(in.offset & 0xff); });
}

void extendSigned(Context& context, const Instr& in) {
  forEachLaneOfA(context, in, [&](uint64_t a) { return signExtended(a, in.offset & 0xff); });
}

void extract(Context& context, const Instr& in) {
  forEachLaneOfA(context, in, [&](uint64_t a) {
    return a >> std::min<int64_t>(in.offset & 0xff, 63) & lowest(in.offset >> 8);
  });
}

void extractSigned(Context& context, const Instr& in) {
  forEachLaneOfA(context, in, [&](uint64_t a) {
    return signExtended(a >> std::min<int64_t>(in.offset & 0xff, 63), in.offset >> 8);
  });
}

void insert(Context& context, const Instr& in) {
  const int64_t at = std::min<int64_t>(in.offset & 0xff, 63);
  const uint64_t field = lowest(in.offset >> 8) << at;
  forEachLaneOfBoth(context, in, [&](uint32_t, uint64_t a, uint64_t b) {
    return (b & ~field) | (a << at & field);
  });
}

void permute(Context& context, const Instr& in) {
  forEachLaneOfBoth(context, in, [&](uint32_t, uint64_t a, uint64_t b) {
    const uint64_t bytes = (a & lowest(32)) | b << 32;
    uint64_t out = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const auto selector = static_cast<uint64_t>(in.offset) >> (4 * i) & 15;
      uint64_t byte = bytes >> (8 * (selector & 7)) & 0xff;
      if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;  // Its sign, eight times.
      out |= byte << (8 * i);
    }
    return out;
  });
}

void join(Context& context, const Instr& in) {
  forEachLane(context, in, [&](uint32_t lane) {
    Unset joined;
    int64_t at = 0;
    for (const uint32_t row : {in.a, in.b, in.c, in.address}) {
      const Unset part = within(unsetAt(context, row, lane), lowest(in.offset));
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

void compareAnd(Context& context, const Instr& in) {
  compare(context, in, false);
}

void compareOr(Context& context, const Instr& in) {
  compare(context, in, true);
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
  if (*context.check->unset == 0) return;
  Unset before[kLanes];
  for (uint32_t lane = 0; lane < kLanes; ++lane) before[lane] = unsetAt(context, in.a, lane);
  forEachLane(context, in, [&](uint32_t lane) {
    return isAbsent(lane) ? Unset{~uint64_t{0}, UnsetOrigin::kAbsent} : before[from[lane]];
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
