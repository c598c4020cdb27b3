// SPDX-License-Identifier: Apache-2.0
// The parts of the mathematical functions: sums, products and quotients that are rounded once, and
// pairs of numbers that together hold twice the digits of one (T. J. Dekker, "A floating-point
// technique for extending the available precision", 1971; D. E. Knuth, "The Art of Computer
// Programming", volume 2, 4.2.2). Each step has one defined result, so the interpreter and every
// GPU give the same bits; a plain product and sum might be fused or not.
#pragma once

#include "cuda_subset_exact.h"

#define TILESTEP_STEP2(name, floatStep, doubleStep)          \
  TILESTEP_PURE float tilestep_##name(float a, float b) {    \
    return floatStep(a, b);                                  \
  }                                                          \
  TILESTEP_PURE double tilestep_##name(double a, double b) { \
    return doubleStep(a, b);                                 \
  }
TILESTEP_STEP2(add, __fadd_rn, __dadd_rn)
TILESTEP_STEP2(subtract, __fsub_rn, __dsub_rn)
TILESTEP_STEP2(times, __fmul_rn, __dmul_rn)
TILESTEP_STEP2(over, __fdiv_rn, __ddiv_rn)
#undef TILESTEP_STEP2

// Selects one of two computed numbers; a conditional expression that computes one would be a
// branch.
template <class T>
TILESTEP_PURE T tilestep_choice(bool condition, T yes, T no) {
  return condition ? yes : no;
}

// c_n x^n + ... + c_0 by Horner's rule, where the coefficients are given from c_n on.
template <class T>
TILESTEP_PURE T tilestep_polynomial(T, T last) {
  return last;
}
template <class T, class... Rest>
TILESTEP_PURE T tilestep_polynomial(T x, T first, T second, Rest... rest) {
  return tilestep_polynomial(x, fma(first, x, second), rest...);
}

// The number high + low, where |low| is at most about half a unit in the last place of high.
template <class T>
struct tilestep_wide {
  T high, low;
};

// a + b exactly, where |a| >= |b| or a = 0.
template <class T>
TILESTEP_PURE tilestep_wide<T> tilestep_ordered_sum(T a, T b) {
  const T sum = tilestep_add(a, b);
  return {sum, tilestep_add(tilestep_subtract(a, sum), b)};
}
// a + b exactly.
template <class T>
TILESTEP_PURE tilestep_wide<T> tilestep_exact_sum(T a, T b) {
  const T sum = tilestep_add(a, b), ofB = tilestep_subtract(sum, a);
  const T lostOfA = tilestep_subtract(a, tilestep_subtract(sum, ofB));
  return {sum, tilestep_add(lostOfA, tilestep_subtract(b, ofB))};
}
// a b exactly.
template <class T>
TILESTEP_PURE tilestep_wide<T> tilestep_exact_product(T a, T b) {
  const T product = tilestep_times(a, b);
  return {product, fma(a, b, -product)};
}
// a b for pairs, to about twice the digits.
template <class T>
TILESTEP_PURE tilestep_wide<T> tilestep_wide_product(tilestep_wide<T> a, tilestep_wide<T> b) {
  const tilestep_wide<T> high = tilestep_exact_product(a.high, b.high);
  return tilestep_ordered_sum(high.high, fma(a.high, b.low, fma(a.low, b.high, high.low)));
}

// Constants of a type: `kHalfUnits` is 3/2 of the power of two beyond which all numbers are whole,
// so that adding it rounds a smaller number to a whole one, which the last bits then hold.
template <class T>
struct tilestep_constants;
template <>
struct tilestep_constants<float> {
  static constexpr float kHalfUnits = 0x1.8p23f, kLeastNormal = 0x1p-126f;
  static constexpr float kInfinity = __builtin_inff(), kNan = __builtin_nanf("");
  static constexpr float kLn2 = 0.693147182f, kLn2Low = -1.90465421e-9f;
  static constexpr float kLog2E = 1.44269502f, kLog2ELow = 1.92596303e-8f;
};
template <>
struct tilestep_constants<double> {
  static constexpr double kHalfUnits = 0x1.8p52, kLeastNormal = 0x1p-1022;
  static constexpr double kInfinity = __builtin_inf(), kNan = __builtin_nan("");
  static constexpr double kLn2 = 0.6931471805599453, kLn2Low = 2.3190468138462996e-17;
  static constexpr double kLog2E = 1.4426950408889634, kLog2ELow = 2.0355273740931033e-17;
};

// The whole number that `kHalfUnits` was added to.
TILESTEP_PURE int tilestep_whole(float shifted) {
  return __float_as_int(shifted) - __float_as_int(tilestep_constants<float>::kHalfUnits);
}
TILESTEP_PURE int tilestep_whole(double shifted) {
  return __double2loint(shifted);
}

// a times 2 to a power between twice the least and twice the greatest exponent, rounded once.
template <class T>
TILESTEP_PURE T tilestep_scaled(T a, int power) {
  const int half = power >> 1;
  return tilestep_times(tilestep_times(a, tilestep_power_of_two<T>(half)),
                        tilestep_power_of_two<T>(power - half));
}

// A function of T for float, by its name with an f, for double, and for whole numbers.
#define TILESTEP_FUNCTION1(name)         \
  TILESTEP_PURE float name##f(float a) { \
    return tilestep_##name(a);           \
  }                                      \
  TILESTEP_PURE double name(double a) {  \
    return tilestep_##name(a);           \
  }                                      \
  TILESTEP_OVERLOAD1(name)
#define TILESTEP_FUNCTION2(name)                  \
  TILESTEP_PURE float name##f(float a, float b) { \
    return tilestep_##name(a, b);                 \
  }                                               \
  TILESTEP_PURE double name(double a, double b) { \
    return tilestep_##name(a, b);                 \
  }                                               \
  TILESTEP_OVERLOAD2(name)                        \
  TILESTEP_OVERLOAD2_WHOLE(name)
