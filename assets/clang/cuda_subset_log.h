// SPDX-License-Identifier: Apache-2.0
// Logarithms: the argument is 2^power (1 + f) with 1 + f between 1/sqrt(2) and sqrt(2) (Cody and
// Waite, chapter 5), and log(1 + f) is f and a small tail, which are kept apart until the end.
#pragma once

#include "cuda_subset_pairs.h"

// log(1 + f) - f by a minimax polynomial.
TILESTEP_PURE float tilestep_log_tail(float f) {
  return tilestep_times(
      tilestep_times(f, f),
      tilestep_polynomial(f, 0.0674923584f, -0.116712034f, 0.11884176f, -0.124061003f, 0.142202601f,
                          -0.166679919f, 0.20002076f, -0.250000089f, 0.333333135f, -0.5f));
}
// The same by the series of the inverse hyperbolic tangent: with s = f / (2 + f),
// log(1 + f) = 2 s + 2/3 s^3 + ... , and 2 s = f - s f.
TILESTEP_PURE double tilestep_log_tail(double f) {
  const double s = tilestep_over(f, tilestep_add(2.0, f)), z = tilestep_times(s, s);
  const double series = tilestep_polynomial(
      z, 0.14795726130696576, 0.15314076651000638, 0.18183563124114926, 0.22222198600847337,
      0.28571428742057225, 0.39999999999416574, 0.6666666666666734);
  return tilestep_times(-s, fma(-z, series, f));
}

template <class T>
struct tilestep_log_constants;
template <>
struct tilestep_log_constants<float> {
  // The products of these with a power are exact: their last 8 bits are 0.
  static constexpr float kLn2 = 0.693145752f, kLn2Low = 1.42860677e-6f;
  static constexpr float kLog10Of2 = 0.30103302f, kLog10Of2Low = -3.02435546e-6f;
  static constexpr float kLog10E = 0.434294492f, kLog10ELow = -1.010305e-8f;
  static constexpr float kRootHalf = 0.707106769f;
  // For numbers below the normal ones.
  static constexpr int kUp = 24;
};
template <>
struct tilestep_log_constants<double> {
  static constexpr double kLn2 = 0.6931471805598903, kLn2Low = 5.497923018708371e-14;
  static constexpr double kLog10Of2 = 0.30102999566395283, kLog10Of2Low = 2.8363394551044964e-14;
  static constexpr double kLog10E = 0.4342944819032518, kLog10ELow = 1.098319650216765e-17;
  static constexpr double kRootHalf = 0.7071067811865476;
  static constexpr int kUp = 54;
};

// a = 2^power (1 + f), exactly, for a finite a > 0.
template <class T>
struct tilestep_split {
  int power;
  T f;
};
template <class T>
TILESTEP_PURE tilestep_split<T> tilestep_split_power(T a) {
  using Bits = typename tilestep_format<T>::Bits;
  using Constants = tilestep_log_constants<T>;
  constexpr int kFraction = tilestep_format<T>::kFraction;
  const bool isSmall = a < tilestep_constants<T>::kLeastNormal;
  const T raised = tilestep_times(a, tilestep_power_of_two<T>(Constants::kUp));
  const Bits bits = __builtin_bit_cast(Bits, tilestep_choice(isSmall, raised, a));
  constexpr Bits kLeast = __builtin_bit_cast(Bits, Constants::kRootHalf);
  const Bits above = bits - kLeast;
  const int power = (int)((typename tilestep_format<T>::Signed)above >> kFraction);
  const T m = __builtin_bit_cast(T, bits - ((Bits)power << kFraction));
  return {power - (isSmall ? Constants::kUp : 0), tilestep_subtract(m, (T)1)};
}

// power ln(2) + f + tail.
template <class T>
TILESTEP_PURE T tilestep_log_sum(int power, T f, T tail) {
  using Constants = tilestep_log_constants<T>;
  const auto sum = tilestep_ordered_sum(tilestep_times((T)power, Constants::kLn2), f);
  return tilestep_add(sum.high, tilestep_add(sum.low, fma((T)power, Constants::kLn2Low, tail)));
}

// `result` for a finite a > 0, or the value of a logarithm elsewhere.
template <class T>
TILESTEP_PURE T tilestep_log_or(T a, T result) {
  using Constants = tilestep_constants<T>;
  const T ofNegative = tilestep_choice(a < 0, Constants::kNan, a);
  const T outside = tilestep_choice(a == 0, -Constants::kInfinity, ofNegative);
  return tilestep_choice(a > 0 && a < Constants::kInfinity, result, outside);
}

template <class T>
TILESTEP_PURE T tilestep_log(T a) {
  const tilestep_split<T> split = tilestep_split_power(a);
  return tilestep_log_or(a, tilestep_log_sum(split.power, split.f, tilestep_log_tail(split.f)));
}

// power unit + (f + tail) factor, where both are pairs.
template <class T>
TILESTEP_PURE T tilestep_log_to_base(T a, tilestep_wide<T> unit, tilestep_wide<T> factor) {
  const tilestep_split<T> split = tilestep_split_power(a);
  const T power = (T)split.power, tail = tilestep_log_tail(split.f);
  const tilestep_wide<T> product = tilestep_exact_product(split.f, factor.high);
  const T productLow = fma(tail, factor.high, fma(split.f, factor.low, product.low));
  const auto sum = tilestep_ordered_sum(tilestep_times(power, unit.high), product.high);
  const T low = tilestep_add(sum.low, fma(power, unit.low, productLow));
  return tilestep_log_or(a, tilestep_add(sum.high, low));
}
template <class T>
TILESTEP_PURE T tilestep_log2(T a) {
  using Constants = tilestep_constants<T>;
  return tilestep_log_to_base<T>(a, {1, 0}, {Constants::kLog2E, Constants::kLog2ELow});
}
template <class T>
TILESTEP_PURE T tilestep_log10(T a) {
  using Constants = tilestep_log_constants<T>;
  return tilestep_log_to_base<T>(a, {Constants::kLog10Of2, Constants::kLog10Of2Low},
                                 {Constants::kLog10E, Constants::kLog10ELow});
}

// log(a + low) for a finite a > 0 and a low that is at most half a unit in a's last place, and 0
// where a < 1/4.
template <class T>
TILESTEP_PURE T tilestep_log_pair(T a, T low) {
  const tilestep_split<T> split = tilestep_split_power(a);
  // Beyond 2^60, low does not affect the logarithm.
  const T scale = tilestep_power_of_two<T>(-max(-2, min(split.power, 60)));
  const T lowScaled = tilestep_choice(split.power > 60, (T)0, tilestep_times(low, scale));
  const auto f = tilestep_ordered_sum(split.f, lowScaled);
  // The slope of log(1 + f) is 1 / (1 + f).
  const T rest = tilestep_add(tilestep_log_tail(f.high), fma(-f.high, f.low, f.low));
  return tilestep_log_sum(split.power, f.high, rest);
}

template <class T>
TILESTEP_PURE T tilestep_log1p(T a) {
  const tilestep_wide<T> sum = tilestep_exact_sum((T)1, a);
  const T result = tilestep_log_or(sum.high, tilestep_log_pair(sum.high, sum.low));
  return tilestep_choice(a == 0, a, result);
}

TILESTEP_FUNCTION1(log)
TILESTEP_FUNCTION1(log2)
TILESTEP_FUNCTION1(log10)
TILESTEP_FUNCTION1(log1p)
