// SPDX-License-Identifier: Apache-2.0
// Mathematical functions whose result is exact by definition (CUDA Math API): any correct algorithm
// gives CUDA's bits.
#pragma once

#include "cuda_subset_integers.h"
#include "cuda_subset_math.h"

// The layout of a floating-point type's bits.
template <class T>
struct tilestep_format;
template <>
struct tilestep_format<float> {
  using Bits = unsigned int;
  using Signed = int;
  static constexpr int kFraction = 23, kBias = 127;
};
template <>
struct tilestep_format<double> {
  using Bits = unsigned long long;
  using Signed = long long;
  static constexpr int kFraction = 52, kBias = 1023;
};

// 2 to a power, if that is a normal number.
template <class T>
TILESTEP_PURE T tilestep_power_of_two(int power) {
  using Format = tilestep_format<T>;
  const auto bits = (typename Format::Bits)(power + Format::kBias) << Format::kFraction;
  return __builtin_bit_cast(T, bits);
}

// The exponent of the largest power of two not above |a|; for 0 and numbers that are not finite, as
// ilogb defines it.
template <class T>
TILESTEP_PURE int tilestep_ilogb(T a) {
  using Format = tilestep_format<T>;
  constexpr int kAbove = 2 * Format::kBias + 1;
  if (a == 0 || isnan(a)) return (int)0x80000000;
  if (isinf(a)) return 0x7fffffff;
  const auto bits = __builtin_bit_cast(typename Format::Bits, a);
  const int exponent = (int)(bits >> Format::kFraction) & kAbove;
  if (exponent != 0) return exponent - Format::kBias;
  // Numbers below the normal ones are scaled to normal ones first.
  return tilestep_ilogb(a * tilestep_power_of_two<T>(Format::kFraction + 1)) - Format::kFraction -
         1;
}

// a times 2 to a power, rounded once. A step down leaves enough bits that only numbers that become
// 0 are rounded before the last product.
template <class T>
TILESTEP_PURE T tilestep_ldexp(T a, int power) {
  using Format = tilestep_format<T>;
  constexpr int kUp = Format::kBias, kDown = Format::kBias - 1 - Format::kFraction - 1;
  for (int step = 0; step < 2; ++step) {
    if (power > kUp) {
      a *= tilestep_power_of_two<T>(kUp);
      power -= kUp;
    } else if (power < 1 - kUp) {
      a *= tilestep_power_of_two<T>(-kDown);
      power += kDown;
    }
  }
  return a * tilestep_power_of_two<T>(max(1 - kUp, min(power, kUp)));
}

template <class T>
TILESTEP_PURE T tilestep_scalbln(T a, long power) {
  return tilestep_ldexp(a, power > 5000 ? 5000 : power < -5000 ? -5000 : (int)power);
}

// The remainder of a >= 0 divided by b > 0; the quotient's last bits.
template <class T>
TILESTEP_INLINE T tilestep_rest(T a, T b, unsigned int& times) {
  times = 0;
  if (a < b) return a;
  T piece = tilestep_ldexp(b, tilestep_ilogb(a) - tilestep_ilogb(b));
  if (piece > a) piece *= (T)0.5;
  for (; piece >= b; piece *= (T)0.5) {
    const bool isTaken = a >= piece;
    times = 2 * times + (isTaken ? 1 : 0);
    if (isTaken) a -= piece;
  }
  return a;
}

template <class T>
TILESTEP_INLINE T tilestep_fmod(T a, T b) {
  if (isnan(a) || isnan(b) || isinf(a) || b == 0) return (T)__builtin_nan("");
  unsigned int times;
  return isinf(b) ? a : copysign(tilestep_rest(fabs(a), fabs(b), times), a);
}

// The quotient's sign and its last three bits, as C requires.
template <class T>
TILESTEP_INLINE T tilestep_remquo(T a, T b, int* quotient) {
  *quotient = 0;
  if (isnan(a) || isnan(b) || isinf(a) || b == 0) return (T)__builtin_nan("");
  if (isinf(b)) return a;
  unsigned int times;
  T rest = tilestep_rest(fabs(a), fabs(b), times);
  const T other = fabs(b) - rest;
  if (rest > other || (rest == other && times % 2 == 1)) {
    rest = -other;
    ++times;
  }
  *quotient = signbit(a) == signbit(b) ? (int)(times & 7) : -(int)(times & 7);
  return signbit(a) ? -rest : rest;
}
template <class T>
TILESTEP_INLINE T tilestep_remainder(T a, T b) {
  int quotient;
  return tilestep_remquo(a, b, &quotient);
}

// Halves are rounded away from zero.
template <class T>
TILESTEP_PURE T tilestep_round(T a) {
  const T whole = trunc(a);
  const T rounded = fabs(a - whole) >= (T)0.5 ? whole + copysign((T)1, a) : whole;
  return copysign(rounded, a);
}

template <class T>
TILESTEP_INLINE T tilestep_modf(T a, T* whole) {
  *whole = trunc(a);
  return copysign(isinf(a) ? (T)0 : a - *whole, a);
}

template <class T>
TILESTEP_INLINE T tilestep_frexp(T a, int* power) {
  *power = 0;
  if (a == 0 || isnan(a) || isinf(a)) return a;
  *power = tilestep_ilogb(a) + 1;
  return tilestep_ldexp(a, -*power);
}

template <class T>
TILESTEP_PURE T tilestep_logb(T a) {
  if (a == 0) return (T)-__builtin_inf();
  return isnan(a) || isinf(a) ? a * a : (T)tilestep_ilogb(a);
}

template <class T>
TILESTEP_PURE T tilestep_nextafter(T a, T towards) {
  using Bits = typename tilestep_format<T>::Bits;
  if (isnan(a) || isnan(towards)) return a + towards;
  if (a == towards) return towards;
  if (a == 0) return copysign(__builtin_bit_cast(T, (Bits)1), towards);
  const Bits bits = __builtin_bit_cast(Bits, a);
  return __builtin_bit_cast(T, (a < towards) == (a > 0) ? bits + 1 : bits - 1);
}

template <class T>
TILESTEP_PURE T tilestep_fdim(T a, T b) {
  return a <= b ? (T)0 : a - b;
}

#define TILESTEP_EXACT1(name)            \
  TILESTEP_PURE float name##f(float a) { \
    return tilestep_##name(a);           \
  }                                      \
  TILESTEP_PURE double name(double a) {  \
    return tilestep_##name(a);           \
  }                                      \
  TILESTEP_OVERLOAD1(name)
#define TILESTEP_EXACT2(name)                     \
  TILESTEP_PURE float name##f(float a, float b) { \
    return tilestep_##name(a, b);                 \
  }                                               \
  TILESTEP_PURE double name(double a, double b) { \
    return tilestep_##name(a, b);                 \
  }                                               \
  TILESTEP_OVERLOAD2(name)                        \
  TILESTEP_OVERLOAD2_WHOLE(name)
// With a second parameter of another type.
#define TILESTEP_EXACT_WITH(name, as, floatType, doubleType) \
  TILESTEP_INLINE float name##f(float a, floatType b) {      \
    return tilestep_##as(a, b);                              \
  }                                                          \
  TILESTEP_INLINE float name(float a, floatType b) {         \
    return tilestep_##as(a, b);                              \
  }                                                          \
  TILESTEP_INLINE double name(double a, doubleType b) {      \
    return tilestep_##as(a, b);                              \
  }
TILESTEP_EXACT1(round)
TILESTEP_EXACT1(logb)
TILESTEP_EXACT2(fmod)
TILESTEP_EXACT2(remainder)
TILESTEP_EXACT2(fdim)
TILESTEP_EXACT2(nextafter)
TILESTEP_EXACT_WITH(ldexp, ldexp, int, int)
TILESTEP_EXACT_WITH(scalbn, ldexp, int, int)
TILESTEP_EXACT_WITH(scalbln, scalbln, long, long)
TILESTEP_EXACT_WITH(frexp, frexp, int*, int*)
TILESTEP_EXACT_WITH(modf, modf, float*, double*)
#undef TILESTEP_EXACT1
#undef TILESTEP_EXACT2
#undef TILESTEP_EXACT_WITH
TILESTEP_INLINE float remquof(float a, float b, int* quotient) {
  return tilestep_remquo(a, b, quotient);
}
TILESTEP_INLINE float remquo(float a, float b, int* quotient) {
  return tilestep_remquo(a, b, quotient);
}
TILESTEP_INLINE double remquo(double a, double b, int* quotient) {
  return tilestep_remquo(a, b, quotient);
}

// To whole numbers.
#define TILESTEP_TO_WHOLE(name, type, argument, expression) \
  TILESTEP_PURE type name(argument a) {                     \
    return (type)(expression);                              \
  }
TILESTEP_TO_WHOLE(ilogbf, int, float, tilestep_ilogb(a))
TILESTEP_TO_WHOLE(ilogb, int, float, tilestep_ilogb(a))
TILESTEP_TO_WHOLE(ilogb, int, double, tilestep_ilogb(a))
TILESTEP_TO_WHOLE(lrintf, long, float, __float2ll_rn(a))
TILESTEP_TO_WHOLE(lrint, long, float, __float2ll_rn(a))
TILESTEP_TO_WHOLE(lrint, long, double, __double2ll_rn(a))
TILESTEP_TO_WHOLE(llrintf, long long, float, __float2ll_rn(a))
TILESTEP_TO_WHOLE(llrint, long long, float, __float2ll_rn(a))
TILESTEP_TO_WHOLE(llrint, long long, double, __double2ll_rn(a))
TILESTEP_TO_WHOLE(lroundf, long, float, __float2ll_rz(roundf(a)))
TILESTEP_TO_WHOLE(lround, long, float, __float2ll_rz(roundf(a)))
TILESTEP_TO_WHOLE(lround, long, double, __double2ll_rz(round(a)))
TILESTEP_TO_WHOLE(llroundf, long long, float, __float2ll_rz(roundf(a)))
TILESTEP_TO_WHOLE(llround, long long, float, __float2ll_rz(roundf(a)))
TILESTEP_TO_WHOLE(llround, long long, double, __double2ll_rz(round(a)))
#undef TILESTEP_TO_WHOLE
