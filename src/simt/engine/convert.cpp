// SPDX-License-Identifier: Apache-2.0
// cvt between integers and floats of every width (PTX ISA 9.0, "cvt").
#include "simt/engine/directed.h"
#include "simt/engine/rounding.h"

namespace tilestep::simt::TILESTEP_ENGINE {
namespace {

template <class T>
constexpr bool isSigned = static_cast<T>(-1) < static_cast<T>(0);
template <class T>
constexpr unsigned kBits = 8 * sizeof(T);
template <class T>
constexpr T kMin = isSigned<T> ? static_cast<T>(uint64_t{1} << (kBits<T> - 1)) : T{0};
template <class T>
constexpr T kMax = static_cast<T>(~kMin<T>);

template <class D, class A>
struct Resize {
  static D apply(A a) { return static_cast<D>(a); }
};

template <class D, class A>
struct Clamp {
  static D apply(A a) {
    if constexpr (isSigned<A>) {
      if (a < 0) {
        if (!isSigned<D>) return 0;
        return int64_t{a} < int64_t{kMin<D>} ? kMin<D> : static_cast<D>(a);
      }
    }
    return static_cast<uint64_t>(a) > static_cast<uint64_t>(kMax<D>) ? kMax<D> : static_cast<D>(a);
  }
};

template <Round round>
inline float toWhole(float x) {
  if constexpr (round == Round::zero) return __builtin_truncf(x);
  if constexpr (round == Round::down) return __builtin_floorf(x);
  if constexpr (round == Round::up) return __builtin_ceilf(x);
  return __builtin_rintf(x);
}
template <Round round>
inline double toWhole(double x) {
  if constexpr (round == Round::zero) return __builtin_trunc(x);
  if constexpr (round == Round::down) return __builtin_floor(x);
  if constexpr (round == Round::up) return __builtin_ceil(x);
  return __builtin_rint(x);
}

/// 2^n, exact for a small n.
template <class F>
constexpr F power(unsigned n) {
  return n == 0 ? F{1} : F{2} * power<F>(n - 1);
}

/// A value out of range becomes the nearest bound. NaN becomes 0, or, from f64 or to 64 bits, the
/// number with only the highest bit set.
template <class D, class A, Round round>
struct ToInteger {
  static D apply(A a) {
    constexpr A kAbove = power<A>(isSigned<D> ? kBits<D> - 1 : kBits<D>);
    constexpr A kLeast = isSigned<D> ? -kAbove : A{0};
    constexpr D kNaN =
        sizeof(A) == 8 || sizeof(D) == 8 ? static_cast<D>(uint64_t{1} << (kBits<D> - 1)) : D{0};
    const A whole = toWhole<round>(a);
    const bool inside = whole >= kLeast && whole < kAbove;
    const D exact = static_cast<D>(inside ? whole : A{0});
    return inside ? exact : (a != a ? kNaN : (a < 0 ? kMin<D> : kMax<D>));
  }
};

template <class D, class A>
struct ToFloat {
  static D apply(A a) { return static_cast<D>(a); }
};
/// Converts 64-bit integers as the sum of two halves, which rounds once. Compilers' own conversion
/// uses a subtraction, which gives minus zero when rounding down, and they remove a test for zero.
template <class D, class A>
struct ToFloatDirected {
  static D apply(A a) {
    if constexpr (sizeof(A) < 8 || sizeof(D) < 8) return a == 0 ? D{0} : static_cast<D>(a);
    const auto bits = static_cast<uint64_t>(a);
    const auto high = static_cast<uint32_t>(bits >> 32), low = static_cast<uint32_t>(bits);
    const D upper = isSigned<A> ? static_cast<D>(static_cast<int32_t>(high)) : static_cast<D>(high);
    return upper * static_cast<D>(0x1p32) + static_cast<D>(low);
  }
};
/// Converts to a double. An integer between two doubles becomes the one with an odd significand.
template <class A>
struct ToOdd {
  static double apply(A a) {
    constexpr uint64_t kLow = (uint64_t{1} << 11) - 1;
    const bool negative = isSigned<A> && a < 0;
    const auto x = static_cast<uint64_t>(a);
    const uint64_t magnitude = negative ? 0 - x : x;
    const bool fits = magnitude >> 53 == 0 || (magnitude & kLow) == 0;
    const auto odd = static_cast<double>(fits ? magnitude : (magnitude & ~kLow) | (kLow + 1));
    return negative ? -odd : odd;
  }
};
/// A NaN keeps the upper bits of its payload and becomes quiet.
struct NarrowFloat {
  static float apply(double a) { return static_cast<float>(a); }
};
struct Widen {
  static double apply(float a) { return double{a}; }
};
template <class F, Round round>
struct ToNarrow {
  static uint32_t apply(double a) { return narrow<F, round>(a); }
};
/// tf32 is an f32 whose last 13 bits are zero.
template <Round round>
struct ToTf32 {
  static uint32_t apply(double a) { return narrow<Tf32, round>(a) << 13; }
};
struct ToTf32Away {
  static uint32_t apply(uint32_t a) {
    const bool nan = (a & 0x7fffffff) > 0x7f800000;
    return (nan ? a : a + 0x1000) & ~0x1fffu;
  }
};
struct FromHalf {
  static double apply(uint32_t a) { return widenHalf(a & 0xffff); }
};
/// All NaNs of f16 become the same f32 NaN. NaNs of bf16 keep their payload.
struct FloatFromHalf {
  static float apply(uint32_t a) {
    const double x = widenHalf(a & 0xffff);
    return x == x ? static_cast<float>(x) : __builtin_bit_cast(float, uint32_t{0x7fffffff});
  }
};
struct FloatFromBfloat {
  static uint32_t apply(uint32_t a) { return a << 16; }
};
inline float canonical(float x) {
  return x == x ? x : __builtin_bit_cast(float, uint32_t{0x7fffffff});
}
inline double canonical(double x) {
  const uint64_t quiet = __builtin_bit_cast(uint64_t, x) | 0x0008000000000000ULL;
  return x == x ? x : __builtin_bit_cast(double, quiet);
}
template <class T, Round round>
struct Whole {
  static T apply(T a) { return canonical(toWhole<round>(a)); }
};
template <class T>
struct Same {
  static T apply(T a) { return a; }
};

template <class D, class A>
Handler integerToInteger(bool saturate) {
  return saturate ? unary<Clamp<D, A>, D, A> : unary<Resize<D, A>, D, A>;
}

template <class D, class A>
Handler floatToInteger(Round round) {
  switch (round) {
    case Round::nearest:
      return unary<ToInteger<D, A, Round::nearest>, D, A>;
    case Round::zero:
      return unary<ToInteger<D, A, Round::zero>, D, A>;
    case Round::down:
      return unary<ToInteger<D, A, Round::down>, D, A>;
    case Round::up:
      return unary<ToInteger<D, A, Round::up>, D, A>;
    default:
      return nullptr;
  }
}

template <class D>
Handler toInteger(Lane from, Round round, bool saturate) {
  switch (from) {
    case Lane::u8:
      return integerToInteger<D, uint8_t>(saturate);
    case Lane::s8:
      return integerToInteger<D, int8_t>(saturate);
    case Lane::u16:
      return integerToInteger<D, uint16_t>(saturate);
    case Lane::s16:
      return integerToInteger<D, int16_t>(saturate);
    case Lane::u32:
      return integerToInteger<D, uint32_t>(saturate);
    case Lane::s32:
      return integerToInteger<D, int32_t>(saturate);
    case Lane::u64:
      return integerToInteger<D, uint64_t>(saturate);
    case Lane::s64:
      return integerToInteger<D, int64_t>(saturate);
    case Lane::f32:
      return floatToInteger<D, float>(round);
    case Lane::f64:
      return floatToInteger<D, double>(round);
    default:
      return nullptr;
  }
}

template <class D, class A>
Handler integerToFloat(Round round) {
  if (round == Round::nearest) return unary<ToFloat<D, A>, D, A>;
  if constexpr (sizeof(D) == 8 && sizeof(A) == 8) {
    if (round == Round::odd) return unary<ToOdd<A>, D, A>;
  }
  return inDirection<unary<ToFloatDirected<D, A>, D, A>>(round);
}

template <class T>
Handler wholeFloat(Round round) {
  switch (round) {
    case Round::nearest:
      return unary<Whole<T, Round::nearest>, T, T>;
    case Round::zero:
      return unary<Whole<T, Round::zero>, T, T>;
    case Round::down:
      return unary<Whole<T, Round::down>, T, T>;
    case Round::up:
      return unary<Whole<T, Round::up>, T, T>;
    default:
      return unary<Same<T>, T, T>;
  }
}

template <class F>
Handler toNarrow(Lane from, Round round) {
  if (from != Lane::f64) return nullptr;
  switch (round) {
    case Round::nearest:
      return unary<ToNarrow<F, Round::nearest>, uint32_t, double>;
    case Round::zero:
      return unary<ToNarrow<F, Round::zero>, uint32_t, double>;
    case Round::down:
      return unary<ToNarrow<F, Round::down>, uint32_t, double>;
    case Round::up:
      return unary<ToNarrow<F, Round::up>, uint32_t, double>;
    default:
      return nullptr;
  }
}

template <class D>
Handler toFloat(Lane from, Round round) {
  switch (from) {
    case Lane::u8:
      return integerToFloat<D, uint8_t>(round);
    case Lane::s8:
      return integerToFloat<D, int8_t>(round);
    case Lane::u16:
      return integerToFloat<D, uint16_t>(round);
    case Lane::s16:
      return integerToFloat<D, int16_t>(round);
    case Lane::u32:
      return integerToFloat<D, uint32_t>(round);
    case Lane::s32:
      return integerToFloat<D, int32_t>(round);
    case Lane::u64:
      return integerToFloat<D, uint64_t>(round);
    case Lane::s64:
      return integerToFloat<D, int64_t>(round);
    default:
      return nullptr;
  }
}

Handler toTf32(Lane from, Round round) {
  if (from == Lane::f32)
    return round == Round::away ? unary<ToTf32Away, uint32_t, uint32_t> : nullptr;
  return round == Round::zero ? unary<ToTf32<Round::zero>, uint32_t, double>
                              : unary<ToTf32<Round::nearest>, uint32_t, double>;
}

Handler toSingle(Lane from, Round round, bool toWholeNumber) {
  switch (from) {
    case Lane::f32:
      return wholeFloat<float>(toWholeNumber ? round : Round::none);
    case Lane::f64:
      return inDirection<unary<NarrowFloat, float, double>>(round);
    case Lane::f16:
      return unary<FloatFromHalf, float, uint32_t>;
    case Lane::bf16:
      return unary<FloatFromBfloat, uint32_t, uint32_t>;
    default:
      return toFloat<float>(from, round);
  }
}

Handler toDouble(Lane from, Round round, bool toWholeNumber) {
  switch (from) {
    case Lane::f32:
      return unary<Widen, double, float>;
    case Lane::f64:
      return wholeFloat<double>(toWholeNumber ? round : Round::none);
    case Lane::f16:
      return unary<FromHalf, double, uint32_t>;
    default:
      return toFloat<double>(from, round);
  }
}

}  // namespace

Handler convert(Lane to, Lane from, Round round, bool saturate, bool toWholeNumber) {
  switch (to) {
    case Lane::u8:
      return toInteger<uint8_t>(from, round, saturate);
    case Lane::s8:
      return toInteger<int8_t>(from, round, saturate);
    case Lane::u16:
      return toInteger<uint16_t>(from, round, saturate);
    case Lane::s16:
      return toInteger<int16_t>(from, round, saturate);
    case Lane::u32:
      return toInteger<uint32_t>(from, round, saturate);
    case Lane::s32:
      return toInteger<int32_t>(from, round, saturate);
    case Lane::u64:
      return toInteger<uint64_t>(from, round, saturate);
    case Lane::s64:
      return toInteger<int64_t>(from, round, saturate);
    case Lane::f32:
      return toSingle(from, round, toWholeNumber);
    case Lane::f64:
      return toDouble(from, round, toWholeNumber);
    case Lane::f16:
      return toNarrow<Half>(from, round);
    case Lane::bf16:
      return toNarrow<Bfloat>(from, round);
    case Lane::tf32:
      return toTf32(from, round);
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
