// SPDX-License-Identifier: Apache-2.0
// Powers: a^b is 2 to the power of b log2(a), where the logarithm is a pair of numbers, since its
// error is multiplied by b. With s = f / (2 + f), log(1 + f) = 2 s + 2/3 s^3 + ... (the series of
// the inverse hyperbolic tangent).
#pragma once

#include "cuda_subset_exp.h"
#include "cuda_subset_log.h"

// With z = s^2: atanh(s) / s as 1 plus a pair.
TILESTEP_PURE tilestep_wide<float> tilestep_atanh_rise(tilestep_wide<float> z) {
  return {tilestep_times(z.high, tilestep_polynomial(z.high, 0.121394075f, 0.142493963f,
                                                     0.200004861f, 0.333333313f)),
          0};
}
TILESTEP_PURE tilestep_wide<double> tilestep_atanh_rise(tilestep_wide<double> z) {
  const double tail = tilestep_times(
      z.high, tilestep_polynomial(z.high, 0.06598176514779606, 0.06628407743516275,
                                  0.07693378705444713, 0.09090892182911413, 0.11111111259966036,
                                  0.1428571428504978, 0.20000000000001128));
  const auto slope =
      tilestep_ordered_sum(0.3333333333333333, tilestep_add(tail, 1.850371707708594e-17));
  return tilestep_wide_product(z, slope);
}

// log2(a) for a finite a > 0.
template <class T>
TILESTEP_PURE tilestep_wide<T> tilestep_log2_pair(T a) {
  using Constants = tilestep_constants<T>;
  const tilestep_split<T> split = tilestep_split_power(a);
  const auto sum = tilestep_exact_sum((T)2, split.f);
  const T s = tilestep_over(split.f, sum.high);
  const T left = fma(-s, sum.low, fma(-s, sum.high, split.f));
  const tilestep_wide<T> quotient = {s, tilestep_over(left, sum.high)};
  const auto rise = tilestep_atanh_rise(tilestep_wide_product(quotient, quotient));
  const auto factor = tilestep_ordered_sum((T)1, rise.high);
  const auto half =
      tilestep_wide_product(quotient, {factor.high, tilestep_add(factor.low, rise.low)});
  const auto rest = tilestep_wide_product(half, {2 * Constants::kLog2E, 2 * Constants::kLog2ELow});
  const auto total = tilestep_ordered_sum((T)split.power, rest.high);
  return tilestep_ordered_sum(total.high, tilestep_add(total.low, rest.low));
}

// a^b for a finite a > 0 and a finite b.
template <class T>
TILESTEP_PURE T tilestep_positive_power(T a, T b) {
  using Range = tilestep_exp_range<T>;
  const tilestep_wide<T> log = tilestep_log2_pair(a);
  const T product = tilestep_times(log.high, b);
  const T low = fma(log.low, b, fma(log.high, b, -product));
  // Beyond the range of the result, only the sign of the power counts.
  const T bounded = tilestep_between(product, Range::kLeast2, Range::kMost2);
  const T shifted = tilestep_add(bounded, tilestep_constants<T>::kHalfUnits);
  const T whole = tilestep_subtract(shifted, tilestep_constants<T>::kHalfUnits);
  const T rest = tilestep_subtract(bounded, whole);
  const T restLow = bounded == product ? low : (T)0;
  const T fine = tilestep_times(restLow, tilestep_constants<T>::kLn2);
  const T rise = tilestep_times(rest, tilestep_exp2_slope(rest));
  const T above = fma(fine, tilestep_add((T)1, rise), rise);
  return tilestep_scaled(tilestep_add((T)1, above), tilestep_whole(shifted));
}

// The value of pow for bases and exponents that are 0, infinite or NaN, and the sign of a negative
// base's power (ISO C, F.9.4.4).
template <class T>
TILESTEP_PURE T tilestep_pow(T a, T b) {
  using Constants = tilestep_constants<T>;
  const T sizeA = fabs(a), sizeB = fabs(b);
  const bool isWhole = trunc(b) == b;
  const T half = tilestep_times(b, (T)0.5);
  const bool isOdd = isWhole && trunc(half) != half && sizeB < Constants::kInfinity;
  const bool isExtreme = sizeA == 0 || sizeA == Constants::kInfinity;
  const bool isUp = (sizeA > 1) == (b > 0);
  const T extreme = tilestep_choice(isUp, Constants::kInfinity, (T)0);
  T size = tilestep_choice(isExtreme || sizeB == Constants::kInfinity, extreme,
                           tilestep_positive_power(sizeA, b));
  size = tilestep_choice(sizeA == 1, (T)1, size);
  const bool isNan = isnan(a) || isnan(b) || (a < 0 && !isWhole && sizeA < Constants::kInfinity);
  size = tilestep_choice(isNan, Constants::kNan, size);
  const T result = tilestep_choice(isOdd && signbit(a), -size, size);
  return tilestep_choice(a == 1 || b == 0, (T)1, result);
}

TILESTEP_FUNCTION2(pow)
