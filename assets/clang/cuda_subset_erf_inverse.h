// SPDX-License-Identifier: Apache-2.0
// Inverses of the error function: near the middle a minimax polynomial in -log(1 - x^2) (M. Giles,
// "Approximating the erfinv function", 2011, has the form); in the tails a start and one step of
// Halley's method for log(erfc(s)) = log(y).
#pragma once

#include "cuda_subset_erf.h"
#include "cuda_subset_log.h"

// erfinv(x) / x where -log(1 - x^2) = 2 + t and |t| <= 2: kFirst + kFirstLow + t times this.
TILESTEP_PURE float tilestep_inverse_slope(float t) {
  return tilestep_polynomial(t, -9.16843224e-9f, 6.54958328e-8f, 2.98407457e-7f, -4.86139925e-6f,
                             7.6224519e-6f, 0.000215919543f, -0.00169218541f, -0.00196813513f,
                             0.249768078f);
}
TILESTEP_PURE double tilestep_inverse_slope(double t) {
  return tilestep_polynomial(
      t, -3.189497163953243e-17, 2.594179320230355e-16, 1.179628219905979e-15,
      -1.936956969727466e-14, 1.79525807486417e-14, 8.437495704701779e-13, -4.3342876704705896e-12,
      -2.1229467782976226e-11, 2.9392743332709694e-10, -2.563386814369792e-10,
      -1.2896058197245135e-8, 6.906216001550723e-8, 3.1694289557647527e-7, -4.874470705852162e-6,
      7.581550370856242e-6, 0.00021593778928127123, -0.0016921483697701371, -0.0019681435417815943,
      0.24976806887075076);
}
template <class T>
struct tilestep_inverse_constants;
template <>
struct tilestep_inverse_constants<float> {
  static constexpr float kFirst = 1.37721527f, kFirstLow = -5.52785124e-8f;
};
template <>
struct tilestep_inverse_constants<double> {
  static constexpr double kFirst = 1.3772152115148184, kFirstLow = 7.55332012067597e-17;
};
// Nearly u erfinv(x) where 1 / u^2 = -log(1 - x^2) >= 4.
TILESTEP_PURE float tilestep_inverse_start(float u) {
  return tilestep_polynomial(u, -0.918145061f, 1.50149715f, -0.70242703f, -0.071360901f,
                             1.00181675f);
}
TILESTEP_PURE double tilestep_inverse_start(double u) {
  return tilestep_polynomial(u, 101.25142819572011, -262.768748949512, 299.7280289080698,
                             -199.13663493179416, 86.11578424004416, -26.388703929466114,
                             6.667752232558845, -1.3849379389012613, -0.019607841490521704,
                             1.000152635217455);
}

// The s with erfc(s) = y. With h = -log(erfc(s))' and g = log(y / erfc(s)), Halley's step is
// s - g / (h + g (s - h / 2)). As y is small and exp(s^2) large, 2^kScale is moved between them.
template <class T>
TILESTEP_PURE T tilestep_tail_inverse(T y, T logarithm) {
  constexpr int kScale = sizeof(T) == 4 ? 40 : 100;
  constexpr T kTwoOverRootPi = (T)1.12837916709551257390;
  const T root = sqrt(logarithm);
  const T s = tilestep_times(root, tilestep_inverse_start(tilestep_over((T)1, root)));
  const tilestep_wide<T> square = tilestep_exact_product(s, s);
  const T tail = tilestep_large_erfcx(s);
  const T wanted = tilestep_times(tilestep_times(y, tilestep_power_of_two<T>(kScale)),
                                  tilestep_exp_sum(square.high, square.low, -kScale));
  // log(1 + q) by a quotient of polynomials, q (6 + q) / (6 + 4 q).
  const T q = tilestep_over(tilestep_subtract(wanted, tail), tail);
  const T g = tilestep_over(tilestep_times(q, tilestep_add((T)6, q)), fma((T)4, q, (T)6));
  const T h = tilestep_over(kTwoOverRootPi, tail);
  const T step = tilestep_over(g, fma(g, fma((T)-0.5, h, s), h));
  return tilestep_subtract(s, step);
}

// erfinv(x), where 1 - x^2 is `product` and 1 - |x| is y.
template <class T>
TILESTEP_PURE T tilestep_inverse_of(T x, T product, T y) {
  using Inverse = tilestep_inverse_constants<T>;
  const T logarithm = -tilestep_log(product);
  if (logarithm < 4) {
    const T t = tilestep_subtract(logarithm, (T)2);
    const T rest = fma(t, tilestep_inverse_slope(t), Inverse::kFirstLow);
    return fma(x, Inverse::kFirst, tilestep_times(x, rest));
  }
  return copysign(tilestep_tail_inverse(y, logarithm), x);
}
template <class T>
TILESTEP_PURE T tilestep_erfinv(T a) {
  using Constants = tilestep_constants<T>;
  const T size = fabs(a);
  if (!(size <= 1)) return Constants::kNan;
  if (size == 1) return copysign(Constants::kInfinity, a);
  return a == 0 ? a : tilestep_inverse_of(a, fma(-a, a, (T)1), tilestep_subtract((T)1, size));
}
template <class T>
TILESTEP_PURE T tilestep_erfcinv(T a) {
  using Constants = tilestep_constants<T>;
  const T other = tilestep_subtract((T)2, a);
  if (!(a >= 0 && a <= 2)) return Constants::kNan;
  if (a == 0 || a == 2) return a == 0 ? Constants::kInfinity : -Constants::kInfinity;
  return tilestep_inverse_of(tilestep_subtract((T)1, a), tilestep_times(a, other),
                             a < 1 ? a : other);
}
template <class T>
TILESTEP_PURE T tilestep_normcdfinv(T a) {
  // The sum makes the result for 1/2 positive.
  return fma((T)-1.41421356237309504880, tilestep_erfcinv(tilestep_add(a, a)), (T)0);
}

TILESTEP_FUNCTION1(erfinv)
TILESTEP_FUNCTION1(erfcinv)
TILESTEP_FUNCTION1(normcdfinv)
