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
TILESTEP_PURE float tilestep_erfcx_polynomial(float t) {
  return tilestep_polynomial(t, 3.10507894e-5f, -0.000613069627f, 0.00164936576f, 0.00245133415f,
                             -0.0236212928f, 0.06832093f, -0.119311877f, 0.129644722f,
                             -0.0475588404f, -0.135621116f, 1.25300801f);
}
TILESTEP_PURE double tilestep_erfcx_polynomial(double t) {
  return tilestep_polynomial(
      t, 2.788073938477547e-9, -2.2292506687224718e-8, 2.065494081083862e-8, 1.2795393863722214e-7,
      -1.2548252660033816e-7, -6.456829572846634e-7, 3.514630354460438e-7, 3.4898654153398587e-6,
      -7.311870821957619e-7, -2.010683625752695e-5, 4.949713410815786e-6, 0.00012510073408148888,
      -0.000105159822846965, -0.0007798324551042867, 0.0018886903448833696, 0.0025293918295180707,
      -0.02377051491487099, 0.06830802734353347, -0.11927366341563665, 0.129645158702763,
      -0.04756229435344116, -0.13562110612458111, 1.2530080582697296);
}

template <class T>
TILESTEP_PURE T tilestep_small_erf(T a) {
  return fma(a, tilestep_erf_slope(tilestep_times(a, a)), a);
}
// erfcx(a) for a >= 1/2.
template <class T>
TILESTEP_PURE T tilestep_large_erfcx(T a) {
  const T t = tilestep_subtract((T)1, tilestep_over((T)6, tilestep_add(a, (T)3)));
  const T half = tilestep_times((T)0.5, tilestep_erfcx_polynomial(t));
  return tilestep_over(half, tilestep_add(a, (T)0.5));
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
