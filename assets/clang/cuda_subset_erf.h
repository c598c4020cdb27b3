// SPDX-License-Identifier: Apache-2.0
// The error function and its kin. Near 0, erf(a) / a is a minimax polynomial in a^2. Elsewhere
// erfc(a) = exp(-a^2) erfcx(a), and (1 + 2 a) erfcx(a) is a polynomial in (a - 3) / (a + 3) for all
// a (M. M. Shepherd and J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in
// 0 <= x < infinity", 1981; this one is a minimax approximation from 1/2 on).
#pragma once

#include "cuda_subset_exp.h"

// erf(a) / a - 1 for |a| <= 1 and z = a^2.
TILESTEP_PURE float tilestep_erf_slope(float z) {
  return tilestep_polynomial(z, 7.92036517e-5f, -0.000803076196f, 0.00519073382f, -0.026855126f,
                             0.112836182f, -0.376126289f, 0.128379166f);
}
TILESTEP_PURE double tilestep_erf_slope(double z) {
  return tilestep_polynomial(
      z, -7.56806911219841e-10, 1.3596272814602903e-8, -1.6179499039120192e-7, 1.644359863850347e-6,
      -1.492442414422193e-5, 0.00012055278531185475, -0.0008548325426815978, 0.005223977595704327,
      -0.026866170641859158, 0.1128379167093651, -0.3761263890318334, 0.12837916709551256);
}
// Half of (1 + 2 a) erfcx(a) for a >= 1/2 and t = (a - 3) / (a + 3). The first coefficient is a
// pair.
TILESTEP_PURE float tilestep_erfcx_polynomial(float t) {
  return tilestep_add(
      0.626504004f,
      tilestep_polynomial(t, 1.51914319e-5f, -0.000330209034f, 0.000855787541f, 0.00124636618f,
                          -0.0118432799f, 0.0341552049f, -0.059645135f, 0.0648227558f,
                          -0.023780562f, -0.0678105652f, 1.83152267e-8f));
}
TILESTEP_PURE double tilestep_erfcx_polynomial(double t) {
  return tilestep_add(
      0.6265040291348648,
      tilestep_polynomial(t, 1.6916963220410719e-9, -1.1695289739214083e-8, 9.270118345835937e-9,
                          6.650841975476852e-8, -6.181768927554649e-8, -3.27117170676205e-7,
                          1.7601373072568595e-7, 1.7486827918395291e-6, -3.6654862442827346e-7,
                          -1.0055354169651378e-5, 2.475538540272524e-6, 6.255098460099782e-5,
                          -5.258015925140306e-5, -0.00038991634998401174, 0.000944345223337595,
                          0.0012646959293869811, -0.011885257463256665, 0.03415401367079428,
                          -0.05963683170748247, 0.06482257935141168, -0.0237811471767282,
                          -0.06781055306229083, 2.961629647489352e-17));
}

template <class T>
TILESTEP_PURE T tilestep_small_erf(T a) {
  return fma(a, tilestep_erf_slope(tilestep_times(a, a)), a);
}
// erfcx(a) for a >= 1/2.
template <class T>
TILESTEP_PURE T tilestep_large_erfcx(T a) {
  const T t = tilestep_subtract((T)1, tilestep_over((T)6, tilestep_add(a, (T)3)));
  return tilestep_over(tilestep_erfcx_polynomial(t), tilestep_add(a, (T)0.5));
}
// exp(sign a^2) 2^power for a >= 0, where the square is a pair. That of 40 is beyond the range.
template <class T>
TILESTEP_PURE T tilestep_exp_of_square(T a, T sign, int power) {
  const T bounded = a > 40 ? (T)40 : a;
  const auto square = tilestep_exact_product(bounded, bounded);
  return tilestep_exp_sum(tilestep_times(sign, square.high), tilestep_times(sign, square.low),
                          power);
}
// erfc(a) for a >= 1/2.
template <class T>
TILESTEP_PURE T tilestep_large_erfc(T a) {
  return tilestep_times(tilestep_exp_of_square(a, (T)-1, 0), tilestep_large_erfcx(a));
}

template <class T>
TILESTEP_PURE T tilestep_erf(T a) {
  if (fabs(a) < 1) return tilestep_choice(a == 0, a, tilestep_small_erf(a));
  return copysign(tilestep_subtract((T)1, tilestep_large_erfc(fabs(a))), a);
}
template <class T>
TILESTEP_PURE T tilestep_erfc(T a) {
  if (fabs(a) < (T)0.5) return tilestep_subtract((T)1, tilestep_small_erf(a));
  const T tail = tilestep_large_erfc(fabs(a));
  return tilestep_choice(a < 0, tilestep_subtract((T)2, tail), tail);
}
// erfcx(-a) = 2 exp(a^2) - erfcx(a).
template <class T>
TILESTEP_PURE T tilestep_erfcx(T a) {
  const bool isSmall = fabs(a) < (T)0.5;
  const T large = tilestep_large_erfcx(fabs(a));
  if (a >= (T)0.5) return large;
  const T power = tilestep_exp_of_square(fabs(a), (T)1, isSmall ? 0 : 1);
  const T small = tilestep_times(power, tilestep_subtract((T)1, tilestep_small_erf(a)));
  return tilestep_choice(isSmall, small, tilestep_subtract(power, large));
}
// erfc(-a / sqrt(2)) / 2; the square of a / sqrt(2) is half of a^2.
template <class T>
TILESTEP_PURE T tilestep_normcdf(T a) {
  constexpr T kRootHalf = (T)0.70710678118654752440;
  const T size = fabs(a), scaled = tilestep_times(size, kRootHalf);
  if (scaled < (T)0.5) {
    return fma((T)0.5, tilestep_small_erf(tilestep_times(a, kRootHalf)), (T)0.5);
  }
  const T bounded = tilestep_choice(size > 40, (T)40, size);
  const auto square = tilestep_exact_product(bounded, bounded);
  const T power =
      tilestep_exp_sum(tilestep_times((T)-0.5, square.high), tilestep_times((T)-0.5, square.low));
  const T tail = tilestep_times(tilestep_times((T)0.5, power), tilestep_large_erfcx(scaled));
  return tilestep_choice(a > 0, tilestep_subtract((T)1, tail), tail);
}

TILESTEP_FUNCTION1(erf)
TILESTEP_FUNCTION1(erfc)
TILESTEP_FUNCTION1(erfcx)
TILESTEP_FUNCTION1(normcdf)
