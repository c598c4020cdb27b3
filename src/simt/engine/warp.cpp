// SPDX-License-Identifier: Apache-2.0
// Communication between the lanes of a warp (shfl, vote, match, redux, elect), and the warp's
// clock. The handlers write only active lanes, so `masked` need not wrap them.
#include "simt/engine/rows.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

template <class Visit>
inline void forEachLane(uint32_t mask, Visit visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<uint32_t>(__builtin_ctz(mask)));
}

template <class C>
inline void setLanes(Context& context, uint32_t d, C value) {
  if (d == kNoRow) return;
  C* out = row<C>(context.registers, d);
  forEachLane(context.mask, [&](uint32_t lane) { out[lane] = value; });
}

inline void setPredicate(Context& context, uint32_t d, bool value) {
  setLanes<uint32_t>(context, d, value ? 0xffffffffu : 0);
}

struct Source {
  uint32_t lane;
  bool inRange;
};

/// PTX ISA 9.0, shfl.sync. b is the distance or lane; c has the segment mask and the clamp.
template <WarpOp op>
inline Source sourceOf(uint32_t lane, uint32_t b, uint32_t c) {
  const uint32_t segment = (c >> 8) & 31, clamp = c & 31, distance = b & 31;
  const auto signedLane = static_cast<int32_t>(lane);
  const auto first = static_cast<int32_t>(lane & segment);
  const auto limit = static_cast<int32_t>((lane & segment) | (clamp & ~segment & 31));
  const auto step = static_cast<int32_t>(distance);
  int32_t from = 0;
  if constexpr (op == WarpOp::shflUp) from = signedLane - step;
  if constexpr (op == WarpOp::shflDown) from = signedLane + step;
  if constexpr (op == WarpOp::shflBfly) from = signedLane ^ step;
  if constexpr (op == WarpOp::shflIdx) {
    from = first | static_cast<int32_t>(distance & ~segment & 31);
  }
  const bool inRange = op == WarpOp::shflUp ? from >= limit : from <= limit;
  return {inRange ? static_cast<uint32_t>(from) & 31 : lane, inRange};
}

template <WarpOp op>
void shuffle(Context& context, const Instr& in) {
  uint32_t values[kLanes], b[kLanes], c[kLanes];
  __builtin_memcpy(values, context.registers + in.a, sizeof values);
  __builtin_memcpy(b, context.registers + in.b, sizeof b);
  __builtin_memcpy(c, context.registers + in.c, sizeof c);
  uint32_t* d = row<uint32_t>(context.registers, in.d);
  uint32_t* p = in.target == kNoRow ? nullptr : row<uint32_t>(context.registers, in.target);
  forEachLane(context.mask, [&](uint32_t lane) {
    const Source source = sourceOf<op>(lane, b[lane], c[lane]);
    d[lane] = values[source.lane];
    if (p != nullptr) p[lane] = source.inRange ? 0xffffffffu : 0;
  });
}

inline uint32_t trueLanes(const Context& context, const Instr& in) {
  const uint32_t* values = row<uint32_t>(context.registers, in.a);
  uint32_t bits = 0;
  for (uint32_t i = 0; i < kLanes; ++i) bits |= values[i] & (1u << i);
  return bits & context.mask;
}

void voteAll(Context& context, const Instr& in) {
  setPredicate(context, in.d, trueLanes(context, in) == context.mask);
}
void voteAny(Context& context, const Instr& in) {
  setPredicate(context, in.d, trueLanes(context, in) != 0);
}
void voteUni(Context& context, const Instr& in) {
  const uint32_t yes = trueLanes(context, in);
  setPredicate(context, in.d, yes == 0 || yes == context.mask);
}
void voteBallot(Context& context, const Instr& in) {
  setLanes<uint32_t>(context, in.d, trueLanes(context, in));
}
void activeMask(Context& context, const Instr& in) {
  setLanes<uint32_t>(context, in.d, context.mask);
}

void elect(Context& context, const Instr& in) {
  const auto leader = static_cast<uint32_t>(__builtin_ctz(context.mask));
  setLanes<uint32_t>(context, in.d, leader);
  setPredicate(context, in.target, false);
  if (in.target != kNoRow) row<uint32_t>(context.registers, in.target)[leader] = 0xffffffffu;
}

template <class C>
inline uint32_t equalLanes(const C* values, uint32_t lane, uint32_t mask) {
  uint32_t same = 0;
  for (uint32_t i = 0; i < kLanes; ++i) same |= uint32_t{values[i] == values[lane]} << i;
  return same & mask;
}

template <class C>
void matchAny(Context& context, const Instr& in) {
  C values[kLanes];
  __builtin_memcpy(values, context.registers + in.a, sizeof values);
  uint32_t* d = row<uint32_t>(context.registers, in.d);
  forEachLane(context.mask,
              [&](uint32_t lane) { d[lane] = equalLanes(values, lane, context.mask); });
}

template <class C>
void matchAll(Context& context, const Instr& in) {
  const C* values = row<C>(context.registers, in.a);
  const auto first = static_cast<uint32_t>(__builtin_ctz(context.mask));
  const bool same = equalLanes(values, first, context.mask) == context.mask;
  setLanes<uint32_t>(context, in.d, same ? context.mask : 0);
  setPredicate(context, in.target, same);
}

template <class T, class F>
void reduce(Context& context, const Instr& in) {
  const uint32_t* values = row<uint32_t>(context.registers, in.a);
  const auto first = static_cast<uint32_t>(__builtin_ctz(context.mask));
  T sum = static_cast<T>(values[first]);
  forEachLane(context.mask & ~(1u << first),
              [&](uint32_t lane) { sum = F::apply(sum, static_cast<T>(values[lane])); });
  setLanes<uint32_t>(context, in.d, static_cast<uint32_t>(sum));
}

struct Add {
  static uint32_t apply(uint32_t a, uint32_t b) { return a + b; }
};
struct Min {
  template <class T>
  static T apply(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  static T apply(T a, T b) {
    return a < b ? b : a;
  }
};
struct And {
  static uint32_t apply(uint32_t a, uint32_t b) { return a & b; }
};
struct Or {
  static uint32_t apply(uint32_t a, uint32_t b) { return a | b; }
};
struct Xor {
  static uint32_t apply(uint32_t a, uint32_t b) { return a ^ b; }
};

/// The warp's clock at this instruction, which is `offset` instructions into its block.
inline uint64_t clockAt(const Context& context, const Instr& in) {
  return context.warp->clock + static_cast<uint64_t>(in.offset);
}

void clockLow(Context& context, const Instr& in) {
  setLanes(context, in.d, static_cast<uint32_t>(clockAt(context, in)));
}
void clockHigh(Context& context, const Instr& in) {
  setLanes(context, in.d, static_cast<uint32_t>(clockAt(context, in) >> 32));
}
void clockWide(Context& context, const Instr& in) {
  setLanes(context, in.d, clockAt(context, in));
}

/// A fence of the host, because blocks of a launch run on several host threads.
void fence(Context&, const Instr&) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

}  // namespace

Handler warpOperation(WarpOp op, bool wide) {
  switch (op) {
    case WarpOp::shflUp:
      return shuffle<WarpOp::shflUp>;
    case WarpOp::shflDown:
      return shuffle<WarpOp::shflDown>;
    case WarpOp::shflBfly:
      return shuffle<WarpOp::shflBfly>;
    case WarpOp::shflIdx:
      return shuffle<WarpOp::shflIdx>;
    case WarpOp::voteAll:
      return voteAll;
    case WarpOp::voteAny:
      return voteAny;
    case WarpOp::voteUni:
      return voteUni;
    case WarpOp::voteBallot:
      return voteBallot;
    case WarpOp::activeMask:
      return activeMask;
    case WarpOp::elect:
      return elect;
    case WarpOp::matchAny:
      return wide ? matchAny<uint64_t> : matchAny<uint32_t>;
    case WarpOp::matchAll:
      return wide ? matchAll<uint64_t> : matchAll<uint32_t>;
    case WarpOp::reduceAdd:
      return reduce<uint32_t, Add>;
    case WarpOp::reduceMinSigned:
      return reduce<int32_t, Min>;
    case WarpOp::reduceMaxSigned:
      return reduce<int32_t, Max>;
    case WarpOp::reduceMin:
      return reduce<uint32_t, Min>;
    case WarpOp::reduceMax:
      return reduce<uint32_t, Max>;
    case WarpOp::reduceAnd:
      return reduce<uint32_t, And>;
    case WarpOp::reduceOr:
      return reduce<uint32_t, Or>;
    case WarpOp::reduceXor:
      return reduce<uint32_t, Xor>;
    case WarpOp::clock:
      return wide ? clockWide : clockLow;
    case WarpOp::clockHigh:
      return clockHigh;
    case WarpOp::fence:
      return fence;
    case WarpOp::mmaTf32:
      return matrixOperation(op);
  }
  return nullptr;
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
