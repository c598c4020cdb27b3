// SPDX-License-Identifier: Apache-2.0
// Hyperbolic functions and their inverses by exponentials and logarithms (Abramowitz and Stegun,
// "Handbook of Mathematical Functions", 4.5 and 4.6); minimax polynomials by Remez's algorithm for
// small arguments, where these would lose digits.
#pragma once

#include "cuda_subset_exp.h"
#include "cuda_subset_log.h"

// (sinh(a) / a - 1) / z for |a| <= 1 and z = a^2; (tanh(a) / a - 1) / z for |a| <= 0.55.
TILESTEP_PURE float tilestep_sinh_tail(float z) {
  return tilestep_polynomial(z, 2.78392577e-6f, 0.000198426351f, 0.00833331142f, 0.166666672f);
}
TILESTEP_PURE double tilestep_sinh_tail(double z) {
  return tilestep_polynomial(z, 7.775689941520182e-13, 1.605668710881809e-10, 2.5052130675827435e-8,
                             2.7557319108482845e-6, 0.0001984126984158925, 0.008333333333332915,
                             0.16666666666666669);
}
TILESTEP_PURE float tilestep_tanh_tail(float z) {
  return tilestep_polynomial(z, -0.00629548589f, 0.0210882351f, -0.0538568422f, 0.133326367f,
                             -0.333333194f);
}
TILESTEP_PURE double tilestep_tanh_tail(double z) {
  return tilestep_polynomial(z, -1.9466009050035972e-5, 8.327250322210418e-5,
                             -0.0002333527692306856, 0.0005884339502024186, -0.0014555404881924497,
                             0.0035920916982014797, -0.008863232572169316, 0.021869488384308668,
                             -0.053968253963715684, 0.1333333333332656, -0.333333333333333);
}

// e^a / 2 for a >= 0, as a pair while e^a is not large.
template <class T>
TILESTEP_PURE tilestep_wide<T> tilestep_half_exp(T a) {
  using Range = tilestep_exp_range<T>;
  const auto reduced = tilestep_reduce_e(a > Range::kMostE + 1 ? Range::kMostE + 1 : a);
  const T rise = tilestep_add(tilestep_small_expm1(reduced.rest), reduced.low);
  const tilestep_wide<T> sum = tilestep_ordered_sum((T)1, rise);
  return {tilestep_scaled(sum.high, reduced.whole - 1),
          tilestep_scaled(sum.low, reduced.whole - 1)};
}
template <class T>
TILESTEP_PURE T tilestep_cosh(T a) {
  const tilestep_wide<T> half = tilestep_half_exp(fabs(a));
  const T other = tilestep_over((T)0.25, half.high);
  return tilestep_add(half.high, tilestep_add(half.low, other));
}
template <class T>
TILESTEP_PURE T tilestep_sinh(T a) {
  const tilestep_wide<T> half = tilestep_half_exp(fabs(a));
  const T other = tilestep_over((T)-0.25, half.high);
  const T large = tilestep_add(half.high, tilestep_add(half.low, other));
  const T z = tilestep_times(a, a);
  const T small = fma(tilestep_times(a, z), tilestep_sinh_tail(z), a);
  return tilestep_choice(a == 0, a, tilestep_choice(fabs(a) < 1, small, copysign(large, a)));
}
// Beyond 0.55, 1 - 1 / (e^(2 a) / 2 + 1/2).
template <class T>
TILESTEP_PURE T tilestep_tanh(T a) {
  const T z = tilestep_times(a, a);
  const T small = fma(tilestep_times(a, z), tilestep_tanh_tail(z), a);
  const tilestep_wide<T> half = tilestep_half_exp(tilestep_add(fabs(a), fabs(a)));
  const auto sum = tilestep_ordered_sum(half.high, (T)0.5);
  const T inverse = tilestep_over((T)1, sum.high);
  const T fine = fma(tilestep_times(inverse, inverse), tilestep_add(sum.low, half.low), -inverse);
  // The pair is NaN where its first number is infinite.
  const T large = tilestep_choice(fabs(a) > (T)20, (T)1, tilestep_add((T)1, fine));
  const T either = tilestep_choice(fabs(a) < (T)0.55, small, copysign(large, a));
  return tilestep_choice(a == 0, a, either);
}

// log(2 a) for a so large that sqrt(a^2 + 1) and sqrt(a^2 - 1) are a.
template <class T>
TILESTEP_PURE T tilestep_log_of_twice(T a) {
  const tilestep_split<T> split = tilestep_split_power(a);
  const T sum = tilestep_log_sum(split.power + 1, split.f, tilestep_log_tail(split.f));
  return tilestep_choice(a < tilestep_constants<T>::kInfinity, sum, a);
}
template <class T>
struct tilestep_root_range;
template <>
struct tilestep_root_range<float> {
  static constexpr float kMost = 0x1p14f;
};
template <>
struct tilestep_root_range<double> {
  static constexpr double kMost = 0x1p28;
};
// log1p(a + a^2 / (1 + sqrt(1 + a^2))).
template <class T>
TILESTEP_PURE T tilestep_asinh(T a) {
  const T size = fabs(a), square = tilestep_times(size, size);
  const T root = sqrt(fma(size, size, (T)1));
  const T above = tilestep_add(size, tilestep_over(square, tilestep_add((T)1, root)));
  const bool isLarge = size > tilestep_root_range<T>::kMost;
  const T result = isLarge ? tilestep_log_of_twice(size) : tilestep_log1p(above);
  return isnan(a) ? a : copysign(result, a);
}
// log1p(t + sqrt(2 t + t^2)) with t = a - 1.
template <class T>
TILESTEP_PURE T tilestep_acosh(T a) {
  const T above = tilestep_subtract(a, (T)1);
  const T root = sqrt(fma(above, above, tilestep_add(above, above)));
  const bool isLarge = a > tilestep_root_range<T>::kMost;
  const T result = isLarge ? tilestep_log_of_twice(a) : tilestep_log1p(tilestep_add(above, root));
  return a >= 1 ? result : tilestep_constants<T>::kNan;
}
// log1p(2 a / (1 - a)) / 2.
template <class T>
TILESTEP_PURE T tilestep_atanh(T a) {
  const T size = fabs(a);
  const T quotient = tilestep_over(tilestep_add(size, size), tilestep_subtract((T)1, size));
  return copysign(tilestep_times((T)0.5, tilestep_log1p(quotient)), a);
}

TILESTEP_FUNCTION1(sinh)
TILESTEP_FUNCTION1(cosh)
TILESTEP_FUNCTION1(tanh)
TILESTEP_FUNCTION1(asinh)
TILESTEP_FUNCTION1(acosh)
TILESTEP_FUNCTION1(atanh)
