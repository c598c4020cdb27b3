// SPDX-License-Identifier: Apache-2.0
// Exponential functions by Cody and Waite's reduction (W. J. Cody and W. Waite, "Software Manual
// for the Elementary Functions", 1980, chapter 6): the argument is a whole number of units that are
// powers of two, and a rest, of which a polynomial gives the exponential. The polynomials are
// minimax approximations by Remez's algorithm.
#pragma once

#include "cuda_subset_pairs.h"

// (e^a - 1 - a) / a^2 for |a| <= 1/2.
TILESTEP_PURE float tilestep_exp_tail(float a) {
  return tilestep_polynomial(a, 0.000200866212f, 0.00140110299f, 0.00833285227f, 0.0416649543f,
                             0.166666687f, 0.50000006f);
}
TILESTEP_PURE double tilestep_exp_tail(double a) {
  return tilestep_polynomial(a, 2.0866638741264178e-9, 2.5169833126678525e-8, 2.7557736757090467e-7,
                             2.755699950678232e-6, 2.480158596910947e-5, 0.00019841270233501808,
                             0.0013888888890510223, 0.008333333333125165, 0.04166666666665885,
                             0.16666666666667018, 0.5000000000000001);
}
// (2^a - 1) / a for |a| <= 1/2.
TILESTEP_PURE float tilestep_exp2_slope(float a) {
  return tilestep_polynomial(a, 0.000154630412f, 0.00133909856f, 0.00961806253f, 0.0555035956f,
                             0.240226507f, 0.693147182f);
}
TILESTEP_PURE double tilestep_exp2_slope(double a) {
  return tilestep_polynomial(a, 4.460508510664485e-10, 7.073558005858184e-9, 1.0178020293093642e-7,
                             1.3215436801933893e-6, 1.525273395109989e-5, 0.00015403530453473173,
                             0.0013333558146253679, 0.009618129107597712, 0.05550410866482261,
                             0.2402265069591012, 0.6931471805599453);
}
// (10^a - 1) / a for |a| <= 0.1506.
TILESTEP_PURE float tilestep_exp10_slope(float a) {
  return tilestep_polynomial(a, 0.207654282f, 0.541826844f, 1.17125273f, 2.03465605f, 2.650949f,
                             2.30258512f);
}
TILESTEP_PURE double tilestep_exp10_slope(double a) {
  return tilestep_polynomial(a, 0.00024163687494359174, 0.001157442614903179, 0.005013959626370135,
                             0.019597626821759292, 0.06808936393848308, 0.2069958493753012,
                             0.5393829292121955, 1.171255148909587, 2.034678592293372,
                             2.6509490552392014, 2.302585092994046);
}

// Beyond these powers of 2 (of e, of 10) the result is 0 or infinite in either type.
template <class T>
struct tilestep_exp_range;
template <>
struct tilestep_exp_range<float> {
  static constexpr float kLeast2 = -151, kMost2 = 129, kLeastE = -104, kMostE = 89;
  static constexpr float kLeast10 = -46, kMost10 = 39;
  static constexpr float kLog2Of10 = 3.32192802f, kLog10Of2 = 0.30103001f;
  static constexpr float kLog10Of2Low = -1.43209888e-8f;
};
template <>
struct tilestep_exp_range<double> {
  static constexpr double kLeast2 = -1076, kMost2 = 1025, kLeastE = -746, kMostE = 710;
  static constexpr double kLeast10 = -324, kMost10 = 309;
  static constexpr double kLog2Of10 = 3.321928094887362, kLog10Of2 = 0.3010299956639812;
  static constexpr double kLog10Of2Low = -2.8037281277851704e-18;
};

// a, or the bound that it exceeds; NaN stays.
template <class T>
TILESTEP_PURE T tilestep_between(T a, T least, T most) {
  const T atMost = a > most ? most : a;
  return atMost < least ? least : atMost;
}

// How often a unit goes into a, in two forms, and the remainder: rest + low.
template <class T>
struct tilestep_exp_argument {
  int whole;
  T rest, low;
};
template <class T>
TILESTEP_PURE tilestep_exp_argument<T> tilestep_reduce(T a, T inverse, T unit, T unitLow) {
  const T shifted = fma(a, inverse, tilestep_constants<T>::kHalfUnits);
  const T times = tilestep_subtract(shifted, tilestep_constants<T>::kHalfUnits);
  // The first step is exact: the remainder is smaller than a and no finer than the unit's last bit.
  const T exact = fma(times, -unit, a);
  const T rest = fma(times, -unitLow, exact);
  return {tilestep_whole(shifted), rest, fma(times, -unitLow, tilestep_subtract(exact, rest))};
}
template <class T>
TILESTEP_PURE tilestep_exp_argument<T> tilestep_reduce_e(T a) {
  using Constants = tilestep_constants<T>;
  return tilestep_reduce(a, Constants::kLog2E, Constants::kLn2, Constants::kLn2Low);
}

// e^a - 1 for a rest of the reduction.
template <class T>
TILESTEP_PURE T tilestep_small_expm1(T a) {
  return fma(tilestep_times(a, a), tilestep_exp_tail(a), a);
}

// e^(a + low) 2^power, where low is small beside a and |power| at most 100.
template <class T>
TILESTEP_PURE T tilestep_exp_sum(T a, T low, int power = 0) {
  using Range = tilestep_exp_range<T>;
  const T bounded = tilestep_between(a, Range::kLeastE, -Range::kLeastE);
  const tilestep_exp_argument<T> reduced = tilestep_reduce_e(bounded);
  const T rise = tilestep_small_expm1(reduced.rest), rest = tilestep_add(reduced.low, low);
  const T above = fma(rest, tilestep_add((T)1, rise), rise);
  return tilestep_scaled(tilestep_add((T)1, above), reduced.whole + power);
}

template <class T>
TILESTEP_PURE T tilestep_exp(T a) {
  using Range = tilestep_exp_range<T>;
  const auto reduced = tilestep_reduce_e(tilestep_between(a, Range::kLeastE, Range::kMostE));
  return tilestep_scaled(tilestep_add((T)1, tilestep_small_expm1(reduced.rest)), reduced.whole);
}

template <class T>
TILESTEP_PURE T tilestep_exp2(T a) {
  using Range = tilestep_exp_range<T>;
  const T bounded = tilestep_between(a, Range::kLeast2, Range::kMost2);
  const T shifted = tilestep_add(bounded, tilestep_constants<T>::kHalfUnits);
  const T rest =
      tilestep_subtract(bounded, tilestep_subtract(shifted, tilestep_constants<T>::kHalfUnits));
  return tilestep_scaled(fma(rest, tilestep_exp2_slope(rest), (T)1), tilestep_whole(shifted));
}

template <class T>
TILESTEP_PURE T tilestep_exp10(T a) {
  using Range = tilestep_exp_range<T>;
  const auto reduced = tilestep_reduce(tilestep_between(a, Range::kLeast10, Range::kMost10),
                                       Range::kLog2Of10, Range::kLog10Of2, Range::kLog10Of2Low);
  return tilestep_scaled(fma(reduced.rest, tilestep_exp10_slope(reduced.rest), (T)1),
                         reduced.whole);
}

// 2^n (e^rest) - 1 as 2^n (e^rest - 1) + (2^n - 1). Within 1/2 of 0, where that would lose digits,
// n is 0. Below -64 the result is -1; n beyond the greatest exponent is halved twice.
template <class T>
TILESTEP_PURE T tilestep_expm1(T a) {
  using Range = tilestep_exp_range<T>;
  const auto reduced = tilestep_reduce_e(tilestep_between(a, (T)-64, Range::kMostE));
  const bool isSmall = fabs(a) < (T)0.5;
  const T rest = isSmall ? a : reduced.rest, low = isSmall ? (T)0 : reduced.low;
  const T rise = tilestep_add(rest, fma(tilestep_times(rest, rest), tilestep_exp_tail(rest), low));
  const int power = isSmall ? 0 : reduced.whole - 1;
  const T half = tilestep_power_of_two<T>(power);
  const T ofHalf = fma(half, rise, tilestep_subtract(half, (T)(isSmall ? 1 : 0.5)));
  return tilestep_choice(a == 0, a, tilestep_choice(isSmall, rise, tilestep_add(ofHalf, ofHalf)));
}

TILESTEP_FUNCTION1(exp)
TILESTEP_FUNCTION1(exp2)
TILESTEP_FUNCTION1(exp10)
TILESTEP_FUNCTION1(expm1)
