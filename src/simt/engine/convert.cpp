// SPDX-License-Identifier: Apache-2.0
// cvt between integers and floats of every width (PTX ISA 9.0, "cvt").
#include "simt/engine/directed.h"
#include "simt/engine/rows.h"

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

/// 2^n of a small n, exact.
template <class F>
constexpr F power(unsigned n) {
  return n == 0 ? F{1} : F{2} * power<F>(n - 1);
}

/// Out of range becomes the nearest end; NaN becomes 0, or 1 << (n - 1) from f64 or to 64 bits.
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
template <class A, Round round>
struct ToFloatDirected {
  static float apply(A a) { return directedFloat(static_cast<double>(a), 0, round); }
};
template <Round round>
struct Narrow {
  static float apply(double a) {
    return a == a ? directedFloat(a, 0, round) : __builtin_bit_cast(float, uint32_t{0x7fffffff});
  }
};
struct Widen {
  static double apply(float a) { return double{a}; }
};
template <class T, Round round>
struct Whole {
  static T apply(T a) { return toWhole<round>(a); }
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
  if constexpr (sizeof(D) == 4 && sizeof(A) == 4) {
    if (round == Round::zero) return unary<ToFloatDirected<A, Round::zero>, D, A>;
    if (round == Round::down) return unary<ToFloatDirected<A, Round::down>, D, A>;
    if (round == Round::up) return unary<ToFloatDirected<A, Round::up>, D, A>;
  }
  // A double holds every 32-bit integer, and a float every 16-bit one, in whatever direction.
  const bool exact = sizeof(D) == 8 ? sizeof(A) <= 4 : sizeof(A) <= 2;
  return exact || round == Round::nearest ? unary<ToFloat<D, A>, D, A> : nullptr;
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

Handler narrow(Round round) {
  switch (round) {
    case Round::zero:
      return unary<Narrow<Round::zero>, float, double>;
    case Round::down:
      return unary<Narrow<Round::down>, float, double>;
    case Round::up:
      return unary<Narrow<Round::up>, float, double>;
    default:
      return unary<Narrow<Round::nearest>, float, double>;
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
      if (from == Lane::f64) return narrow(round);
      if (from == Lane::f32) return wholeFloat<float>(toWholeNumber ? round : Round::none);
      return toFloat<float>(from, round);
    case Lane::f64:
      if (from == Lane::f32) return unary<Widen, double, float>;
      if (from == Lane::f64) return wholeFloat<double>(toWholeNumber ? round : Round::none);
      return toFloat<double>(from, round);
    default:
      return nullptr;
  }
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
