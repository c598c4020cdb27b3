// SPDX-License-Identifier: Apache-2.0
// The gamma function by its recurrence (Abramowitz and Stegun, "Handbook of Mathematical
// Functions", 6.1.15), which leads to 1 / gamma(1 + z) for |z| <= 1/2, a minimax polynomial; and
// its logarithm by the same, by a polynomial around 2, and by Stirling's formula (6.1.40).
#pragma once

#include "cuda_subset_log.h"
#include "cuda_subset_trig.h"

// (1 / gamma(1 + z) - 1) / z for |z| <= 1/2.
TILESTEP_PURE float tilestep_rgamma_slope(float z) {
  return tilestep_polynomial(z, -0.0010805428f, 0.0071029556f, -0.00964158494f, -0.0421783924f,
                             0.166540444f, -0.0420036688f, -0.655878127f, 0.577215672f);
}
TILESTEP_PURE double tilestep_rgamma_slope(double z) {
  return tilestep_polynomial(z, 4.857751107792372e-9, -2.005928325446873e-7, 1.1335841615647722e-6,
                             -1.252534330244891e-6, -2.0134986537533964e-5, 0.0001280507097171917,
                             -0.0002152416562401023, -0.0011651676409918771, 0.007218943245280118,
                             -0.009621971524857012, -0.04219773455548758, 0.1665386113822035,
                             -0.042002635034096264, -0.655878071520253, 0.5772156649015329);
}
// log(gamma(2 + z)) / z for -1/2 <= z <= 1.
TILESTEP_PURE float tilestep_lgamma_slope(float z) {
  return tilestep_polynomial(z, 5.67467505e-5f, -0.000228704943f, 0.000531634025f, -0.00119285309f,
                             0.00288682757f, -0.0073868786f, 0.0205810964f, -0.0673520342f,
                             0.322467029f, 0.422784328f);
}
TILESTEP_PURE double tilestep_lgamma_slope(double z) {
  return tilestep_polynomial(
      z, -4.387178207798981e-9, 3.0598924198140035e-8, -1.0115459723472522e-7,
      2.2992574702673334e-7, -4.6187104109932426e-7, 9.516664450711662e-7, -2.0319306717228443e-6,
      4.373750855566764e-6, -9.441308542973905e-6, 2.0507817880348698e-5, -4.492599579581512e-5,
      9.945740174644977e-5, -0.0002231547765302339, 0.0005096695347709428, -0.001192753910838216,
      0.0028905103303029558, -0.0073855510287066705, 0.020580808427791874, -0.0673523010531973,
      0.3224670334241132, 0.42278433509846713);
}
// The remainder of Stirling's formula, times a, for a >= 8 and w = 1 / a^2.
TILESTEP_PURE float tilestep_stirling(float w) {
  return tilestep_polynomial(w, -0.00275980216f, 0.083333239f);
}
TILESTEP_PURE double tilestep_stirling(double w) {
  return tilestep_polynomial(w, -0.0016089510955462198, 0.0008353171457276398,
                             -0.0005951698045740696, 0.0007936504183194199, -0.0027777777768033286,
                             0.08333333333333245);
}

// The product of the numbers between a and its rest z, of which each is 1 away from the next:
// (a - 1) ... (1 + z) for a > 1/2, else a ... z. With many factors each is divided by 16.
template <class T>
struct tilestep_factors {
  T z, product;
  int power;
  bool isDivisor;
};
template <class T>
TILESTEP_PURE tilestep_factors<T> tilestep_factors_of(T a) {
  const T whole = rint(a);
  const bool isDivisor = whole < 1;
  const int factors = isDivisor ? 1 - (int)whole : (int)whole - 1;
  const T unit = factors > 30 ? (T)0.0625 : (T)1, step = isDivisor ? (T)1 : (T)-1;
  T factor = isDivisor ? a : tilestep_subtract(a, (T)1);
  tilestep_wide<T> product = {1, 0};
  for (int i = 0; i < factors; ++i) {
    const T scaled = tilestep_times(factor, unit);
    const auto high = tilestep_exact_product(product.high, scaled);
    product = {high.high, fma(product.low, scaled, high.low)};
    factor = tilestep_add(factor, step);
  }
  return {tilestep_subtract(a, whole), tilestep_add(product.high, product.low),
          factors > 30 ? 4 * factors : 0, isDivisor};
}

// The largest argument with a finite result, and one below which all results are 0.
template <class T>
struct tilestep_gamma_range;
template <>
struct tilestep_gamma_range<float> {
  static constexpr float kMost = 36, kLeast = -43, kWhole = 0x1p23f;
};
template <>
struct tilestep_gamma_range<double> {
  static constexpr double kMost = 172, kLeast = -185, kWhole = 0x1p52;
};

template <class T>
TILESTEP_PURE T tilestep_tgamma(T a) {
  using Range = tilestep_gamma_range<T>;
  using Constants = tilestep_constants<T>;
  if (a > Range::kMost) return Constants::kInfinity;
  if (a == 0) return tilestep_over((T)1, a);
  if (!(a > 0) && trunc(a) == a) return Constants::kNan;
  if (isnan(a)) return a;
  if (a < Range::kLeast) {
    const T half = tilestep_times((T)0.5, floor(a));
    return trunc(half) == half ? (T)0 : (T)-0.0;
  }
  const tilestep_factors<T> factors = tilestep_factors_of(a);
  const T rest = fma(factors.z, tilestep_rgamma_slope(factors.z), (T)1);
  const T divisor = factors.isDivisor ? tilestep_times(factors.product, rest) : rest;
  const T result = tilestep_over(factors.isDivisor ? (T)1 : factors.product, divisor);
  return tilestep_scaled(result, factors.isDivisor ? -factors.power : factors.power);
}

// The parts of log(gamma(a)): more + factor log(of + low); only log(a) for a >= 8.
template <class T>
struct tilestep_gamma_logarithm {
  T of, low, factor, more;
};
template <class T>
TILESTEP_PURE tilestep_gamma_logarithm<T> tilestep_gamma_logarithm_of(T a) {
  if (a >= 8) return {a, 0, 1, 0};
  if (a < (T)0.5) {
    const tilestep_factors<T> factors = tilestep_factors_of(a);
    const T rest = fma(factors.z, tilestep_rgamma_slope(factors.z), (T)1);
    return {fabs(tilestep_times(factors.product, rest)), 0, -1, 0};
  }
  if (a < (T)1.5) {
    const T z = tilestep_subtract(a, (T)1);
    const auto sum = tilestep_exact_sum((T)1, tilestep_times(z, tilestep_rgamma_slope(z)));
    return {sum.high, sum.low, -1, 0};
  }
  T product = 1, rest = a;
  while (rest >= 3) {
    rest = tilestep_subtract(rest, (T)1);
    product = tilestep_times(product, rest);
  }
  const T z = tilestep_subtract(rest, (T)2);
  return {product, 0, 1, tilestep_times(z, tilestep_lgamma_slope(z))};
}
// log(gamma(a)) for a >= 8, where `log` is the logarithm of a.
template <class T>
TILESTEP_PURE T tilestep_large_lgamma(T a, T log) {
  constexpr T kHalfLog2PiE = (T)(0.91893853320467274178 - 0.5);
  const T inverse = tilestep_over((T)1, a);
  const T tail = tilestep_times(inverse, tilestep_stirling(tilestep_times(inverse, inverse)));
  const T slope = tilestep_subtract(log, (T)1);
  return tilestep_add(fma(tilestep_subtract(a, (T)0.5), slope, kHalfLog2PiE), tail);
}
template <class T>
TILESTEP_PURE T tilestep_lgamma(T a) {
  using Constants = tilestep_constants<T>;
  if (isnan(a)) return a;
  if (isinf(a) || (!(a > 0) && trunc(a) == a)) return Constants::kInfinity;
  // By reflection (6.1.17): gamma(-a) gamma(a) = -pi / (a sin(pi a)).
  const bool isReflected = a <= -24;
  const T size = tilestep_choice(isReflected, -a, a);
  const tilestep_gamma_logarithm<T> parts = tilestep_gamma_logarithm_of(size);
  const T log = tilestep_log_pair(parts.of, parts.low);
  if (size < 8) return fma(parts.factor, log, parts.more);
  const T result = tilestep_large_lgamma(size, log);
  if (!isReflected) return result;
  const T sine =
      tilestep_over(tilestep_times(fabs(tilestep_sinpi(a)), size), tilestep_pi<T>::kHigh);
  return -tilestep_add(tilestep_log(sine), result);
}

TILESTEP_FUNCTION1(tgamma)
TILESTEP_FUNCTION1(lgamma)
