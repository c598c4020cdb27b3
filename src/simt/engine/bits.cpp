// SPDX-License-Identifier: Apache-2.0
// 32-bit operations that depend on a mode (Instr::offset), which is the same for all lanes.
#include "simt/engine/rows.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

template <class F>
void withMode(Context& context, const Instr& in) {
  auto* d = row<uint32_t>(context.registers, in.d);
  const auto* a = row<uint32_t>(context.registers, in.a);
  const auto* b = row<uint32_t>(context.registers, in.b);
  const auto* c = row<uint32_t>(context.registers, in.c);
  const auto mode = static_cast<uint32_t>(in.offset);
  TILESTEP_LANES
  for (uint32_t i = 0; i < kLanes; ++i) d[i] = F::apply(a[i], b[i], c[i], mode);
}

/// Nibbles that select bytes of {b, a}. They follow from the low bits of c and the mode.
inline uint32_t selectorOf(uint32_t c, uint32_t mode) {
  constexpr uint32_t kForward = 0x3210, kBackward = 0x5670;
  const uint32_t n = c & 3;
  switch (mode) {
    case kForward4:
      return kForward + 0x1111 * n;
    case kBackward4:
      return (kBackward + 0x1111 * n) & 0x7777;
    case kReplicate8:
      return 0x1111 * n;
    case kEdgeLeft:
      return n == 0 ? 0x3210 : n == 1 ? 0x3211 : n == 2 ? 0x3222 : 0x3333;
    case kEdgeRight:
      return n == 0 ? 0x0000 : n == 1 ? 0x1110 : n == 2 ? 0x2210 : 0x3210;
    case kReplicate16:
      return n % 2 == 0 ? 0x1010 : 0x3232;
    default:
      return c;
  }
}

/// If a nibble's highest bit is set, the byte's sign bit is replicated.
struct Prmt {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c, uint32_t mode) {
    const uint64_t bytes = (uint64_t{b} << 32) | a;
    const uint32_t selector = selectorOf(c, mode);
    uint32_t out = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const uint32_t pick = selector >> (4 * i);
      auto byte = static_cast<uint32_t>(bytes >> (8 * (pick & 7))) & 0xff;
      if (pick & 8) byte = byte & 0x80 ? 0xff : 0;
      out |= byte << (8 * i);
    }
    return out;
  }
};

/// Each result bit is bit 4·a + 2·b + c of the table.
struct Lop3 {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t out = 0;
    for (uint32_t i = 0; i < 8; ++i) {
      const uint32_t term = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
      out |= (table >> i) & 1 ? term : 0;
    }
    return out;
  }
};

/// 32 bits of the 64-bit number b:a, shifted by c.
struct Funnel {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c, uint32_t mode) {
    const uint32_t by = (mode & kFunnelClamp) == 0 ? c & 31 : c < 32 ? c : 32;
    const uint64_t both = (uint64_t{b} << 32) | a;
    return static_cast<uint32_t>(mode & kFunnelRight ? both >> by : (both << by) >> 32);
  }
};

/// A mask of `length` ones from bit `position` on.
struct Bmsk {
  static uint32_t apply(uint32_t position, uint32_t length, uint32_t, uint32_t clamp) {
    const uint32_t p = clamp ? position : position & 31, n = clamp ? length : length & 31;
    const uint64_t ones = n >= 32 ? 0xffffffffu : (uint64_t{1} << n) - 1;
    return p >= 32 ? 0 : static_cast<uint32_t>(ones << p);
  }
};

/// Extends the lowest b bits of a, with the sign if c is all ones.
struct Szext {
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t isSigned, uint32_t clamp) {
    const uint32_t width = clamp ? b : b & 31;
    if (width >= 32) return a;
    if (width == 0) return 0;
    const uint32_t up = 32 - width;
    const auto extended = static_cast<uint32_t>(static_cast<int32_t>(a << up) >> up);
    return isSigned != 0 ? extended : (a << up) >> up;
  }
};

/// The position of the n-th set bit of a mask, counted from a base, upwards if n > 0 and downwards
/// if n < 0. The result is all ones if there is none. If n = 0, bit `base` itself must be set. The
/// smallest n gives 0, as on an H200.
struct Fns {
  static uint32_t apply(uint32_t mask, uint32_t base, uint32_t offset, uint32_t) {
    const auto n = static_cast<int32_t>(offset);
    if (n == 0) return base < 32 && ((mask >> base) & 1) != 0 ? base : 0xffffffffu;
    if (offset == 0x80000000u) return 0;
    const int32_t step = n > 0 ? 1 : -1;
    uint32_t left = n > 0 ? offset : 0u - offset;
    for (int64_t i = base; i >= 0 && i < 32; i += step) {
      if (((mask >> i) & 1) != 0 && --left == 0) return static_cast<uint32_t>(i);
    }
    return 0xffffffffu;
  }
};

/// c plus the products of four bytes, or of two halves of a and two bytes of b.
struct Dot {
  static int64_t part(uint32_t x, uint32_t at, uint32_t width, bool isSigned) {
    const uint32_t up = 32 - width;
    const uint32_t high = (x >> at) << up;
    return isSigned ? int64_t{static_cast<int32_t>(high) >> up} : int64_t{high >> up};
  }
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c, uint32_t mode) {
    const bool signedA = (mode & kDotSignedA) != 0, signedB = (mode & kDotSignedB) != 0;
    const bool pairs = (mode & kDotPairs) != 0;
    const uint32_t width = pairs ? 16 : 8, from = mode & kDotHigh ? 16 : 0;
    int64_t sum = c;
    for (uint32_t i = 0; i < (pairs ? 2u : 4u); ++i) {
      sum += part(a, i * width, width, signedA) * part(b, from + i * 8, 8, signedB);
    }
    return static_cast<uint32_t>(sum);
  }
};

/// vadd4 and similar instructions, on 8-bit or 16-bit parts of a word.
struct Video {
  static int32_t operate(int32_t a, int32_t b, uint32_t operation) {
    switch (operation) {
      case kVideoSub:
        return a - b;
      case kVideoAbsDiff:
        return a < b ? b - a : a - b;
      case kVideoAverage:
        return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
      case kVideoMin:
        return a < b ? a : b;
      case kVideoMax:
        return a < b ? b : a;
      default:
        return a + b;
    }
  }
  static int32_t clamp(int32_t x, uint32_t width, bool isSigned) {
    const int32_t least = isSigned ? -(1 << (width - 1)) : 0;
    const int32_t most = (1 << (isSigned ? width - 1 : width)) - 1;
    return x < least ? least : x > most ? most : x;
  }
  static uint32_t apply(uint32_t a, uint32_t b, uint32_t c, uint32_t mode) {
    const uint32_t width = mode & kVideoBytes ? 8 : 16, up = 32 - width;
    uint32_t sum = c, out = 0;
    for (uint32_t at = 0; at < 32; at += width) {
      const uint32_t x = (a >> at) << up, y = (b >> at) << up;
      const int32_t signedX = static_cast<int32_t>(x) >> up,
                    signedY = static_cast<int32_t>(y) >> up;
      int32_t lane = operate(mode & kVideoSignedA ? signedX : static_cast<int32_t>(x >> up),
                             mode & kVideoSignedB ? signedY : static_cast<int32_t>(y >> up),
                             mode & kVideoOperation);
      if (mode & kVideoSaturate) lane = clamp(lane, width, (mode & kVideoSignedD) != 0);
      sum += static_cast<uint32_t>(lane);
      out |= ((static_cast<uint32_t>(lane) << up) >> up) << at;
    }
    return mode & kVideoAccumulate ? sum : out;
  }
};

}  // namespace

Handler modalArithmetic(Op op) {
  switch (op) {
    case Op::prmt:
      return withMode<Prmt>;
    case Op::lop3:
      return withMode<Lop3>;
    case Op::funnel:
      return withMode<Funnel>;
    case Op::bmsk:
      return withMode<Bmsk>;
    case Op::szext:
      return withMode<Szext>;
    case Op::fns:
      return withMode<Fns>;
    case Op::dot:
      return withMode<Dot>;
    case Op::video:
      return withMode<Video>;
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
