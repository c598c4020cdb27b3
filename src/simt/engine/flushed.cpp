// SPDX-License-Identifier: Apache-2.0
// f32 operations with .ftz, computed in double. Subnormal sources count as zero. A result is
// rounded to 24 bits with an unlimited exponent and becomes zero if it is then below the normal
// numbers. Rounding to a subnormal number first may yield the smallest normal number.
#include "simt/engine/directed.h"
#include "simt/engine/rounding.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

constexpr double kSmallestNormal = 0x1p-126;
/// Half a unit in the last place below kSmallestNormal, and the next double above one unit below.
constexpr double kRoundsUpNearest = 0x1.ffffffp-127;
constexpr double kRoundsUpOutward = 0x1.fffffe0000001p-127;

template <Round round>
struct Flushed {
  /// Magnitudes of numbers with this sign that are below the limit become zero.
  static constexpr double limit(bool negative) {
    if (round == Round::nearest) return kRoundsUpNearest;
    const bool outward = negative ? round == Round::down : round == Round::up;
    return outward ? kRoundsUpOutward : kSmallestNormal;
  }
  static double in(float a) {
    const float magnitude = __builtin_fabsf(a);
    return double{magnitude < 0x1p-126F ? __builtin_copysignf(0.0F, a) : a};
  }
  /// x is the exact result, rounded to a double in the direction `round` or to odd.
  static float out(double x) {
    const bool tiny = __builtin_fabs(x) < limit(x < 0);
    const auto rounded = static_cast<float>(x);
    const float zero = __builtin_copysignf(0.0F, rounded);
    const float nan = __builtin_bit_cast(float, uint32_t{0x7fffffff});
    return x != x ? nan : tiny ? zero : rounded;
  }
  static double add(double a, double b) {
    if constexpr (round == Round::nearest) return oddSum(a, b);
    return a + b;
  }

  struct Add {
    static float apply(float a, float b) { return out(add(in(a), in(b))); }
  };
  struct Sub {
    static float apply(float a, float b) { return out(add(in(a), -in(b))); }
  };
  struct Mul {
    static float apply(float a, float b) { return out(in(a)*in(b)); }
  };
  struct Fma {
    static float apply(float a, float b, float c) { return out(add(in(a)*in(b), in(c))); }
  };
  /// A double has more than 2 * 24 + 2 significant bits, so rounding twice is harmless.
  struct Div {
    static float apply(float a, float b) { return out(in(a) / in(b)); }
  };
  struct Rcp {
    static float apply(float a) { return out(1.0 / in(a)); }
  };
  struct NarrowFloat {
    /// The only operation that keeps the upper bits of a NaN's payload.
    static float apply(double a) { return a == a ? out(a) : static_cast<float>(a); }
  };
};

template <Round round>
Handler of(Op op) {
  using F = Flushed<round>;
  switch (op) {
    case Op::addFtz:
      return under<round, binary<typename F::Add, float, float, float>>();
    case Op::subFtz:
      return under<round, binary<typename F::Sub, float, float, float>>();
    case Op::mulFtz:
      return under<round, binary<typename F::Mul, float, float, float>>();
    case Op::fmaFtz:
      return under<round, ternary<typename F::Fma, float, float, float, float>>();
    case Op::divFtz:
      return under<round, binary<typename F::Div, float, float, float>>();
    case Op::rcpFtz:
      return under<round, unary<typename F::Rcp, float, float>>();
    case Op::narrowFtz:
      return under<round, unary<typename F::NarrowFloat, float, double>>();
    default:
      return nullptr;
  }
}

}  // namespace

Handler flushedArithmetic(Op op, Round round) {
  switch (round) {
    case Round::nearest:
      return of<Round::nearest>(op);
    case Round::zero:
      return of<Round::zero>(op);
    case Round::down:
      return of<Round::down>(op);
    case Round::up:
      return of<Round::up>(op);
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
