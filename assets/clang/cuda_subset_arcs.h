// SPDX-License-Identifier: Apache-2.0
// Inverse trigonometric functions: minimax polynomials by Remez's algorithm for small arguments, to
// which the usual identities lead (Abramowitz and Stegun, "Handbook of Mathematical Functions",
// 4.4).
#pragma once

#include "cuda_subset_angles.h"

// (asin(a) / a - 1) / z for |a| <= 1/2 and z = a^2; (atan(a) / a - 1) / z for |a| <= 1.
TILESTEP_PURE float tilestep_asin_tail(float z) {
  return tilestep_polynomial(z, 0.0422119126f, 0.0241520479f, 0.0454760455f, 0.0749525204f,
                             0.166667536f);
}
TILESTEP_PURE double tilestep_asin_tail(double z) {
  return tilestep_polynomial(z, 0.03195918956418817, -0.0162943491606028, 0.019574041950984368,
                             0.006510821430815122, 0.012173281730650201, 0.01388459900938339,
                             0.017359770941923244, 0.02237175354326508, 0.03038195932993522,
                             0.04464285682353068, 0.07500000000342956, 0.16666666666665383);
}
TILESTEP_PURE float tilestep_atan_tail(float z) {
  return tilestep_polynomial(z, -0.00181868731f, 0.0110288803f, -0.031394355f, 0.0581780076f,
                             -0.0841645896f, 0.109566577f, -0.142650917f, 0.199986264f,
                             -0.333333015f);
}
TILESTEP_PURE double tilestep_atan_tail(double z) {
  return tilestep_polynomial(z, 1.3487227599174408e-5, -0.00015477666467405207,
                             0.0008433911686519712, -0.0029190801658896203, 0.007262856963421759,
                             -0.013994294994617554, 0.02208443821524856, -0.029985013218569993,
                             0.03669319255485551, -0.04221702300934937, 0.04723287826024961,
                             -0.05253804053622706, 0.058805922525563346, -0.06666414953816913,
                             0.07692281182469461, -0.09090907118997958, 0.11111111013644011,
                             -0.14285714282802353, 0.19999999999955448, -0.33333333333333093);
}

// asin(a) = root + tail for |a| <= 1/2. For larger ones z = (1 - |a|) / 2, the square of the half
// angle's sine: acos(|a|) = 2 asin(sqrt(z)).
template <class T>
struct tilestep_arc {
  bool isLarge;
  T root, tail;
};
template <class T>
TILESTEP_PURE tilestep_arc<T> tilestep_small_arc(T a) {
  const bool isLarge = fabs(a) > (T)0.5;
  const T half = fma(fabs(a), (T)-0.5, (T)0.5);
  const T z = tilestep_choice(isLarge, half, tilestep_times(a, a));
  const T root = tilestep_choice(isLarge, sqrt(half), a);
  return {isLarge, root, tilestep_times(tilestep_times(root, z), tilestep_asin_tail(z))};
}
template <class T>
TILESTEP_PURE T tilestep_asin(T a) {
  using Angle = tilestep_angle_constants<T>;
  const tilestep_arc<T> arc = tilestep_small_arc(a);
  const auto most = tilestep_ordered_sum(Angle::kFirst, tilestep_times((T)-2, arc.root));
  const T fine = fma((T)-2, arc.tail, tilestep_add(most.low, Angle::kSecond));
  const T small = tilestep_add(arc.root, arc.tail);
  const T large = copysign(tilestep_add(most.high, fine), a);
  return tilestep_choice(a == 0, a, tilestep_choice(arc.isLarge, large, small));
}
template <class T>
TILESTEP_PURE T tilestep_acos(T a) {
  using Angle = tilestep_angle_constants<T>;
  const tilestep_arc<T> arc = tilestep_small_arc(a);
  const T angle = tilestep_add(arc.root, arc.tail);
  const T fromRight = tilestep_add(Angle::kFirst, tilestep_subtract(Angle::kSecond, angle));
  const T fromStraight =
      fma((T)2, Angle::kFirst, fma((T)2, Angle::kSecond, tilestep_times((T)-2, angle)));
  const T large = tilestep_choice(a > 0, tilestep_add(angle, angle), fromStraight);
  return tilestep_choice(arc.isLarge, large, fromRight);
}

// atan(a) for 0 <= a <= 1.
template <class T>
TILESTEP_PURE T tilestep_small_atan(T a) {
  const T z = tilestep_times(a, a);
  return fma(tilestep_times(a, z), tilestep_atan_tail(z), a);
}
template <class T>
TILESTEP_PURE T tilestep_atan(T a) {
  using Angle = tilestep_angle_constants<T>;
  const T size = fabs(a);
  const bool isLarge = size > 1;
  const T top = tilestep_choice(isLarge, (T)1, size), bottom = tilestep_choice(isLarge, size, (T)1);
  const T arc = tilestep_small_atan(tilestep_over(top, bottom));
  const T rest = tilestep_add(Angle::kFirst, tilestep_subtract(Angle::kSecond, arc));
  return copysign(tilestep_choice(isLarge, rest, arc), a);
}
// The angle of the point (x, y): the smaller coordinate over the larger one, then the eighth of the
// circle. Of two that are both 0 or both infinite, the quotient is 0 or 1.
template <class T>
TILESTEP_PURE T tilestep_atan2(T y, T x) {
  using Angle = tilestep_angle_constants<T>;
  const T sizeX = fabs(x), sizeY = fabs(y);
  const bool isSteep = sizeY > sizeX, isBack = signbit(x);
  const T least = tilestep_choice(isSteep, sizeX, sizeY);
  const T most = tilestep_choice(isSteep, sizeY, sizeX);
  const T ofEqual = tilestep_choice(least == most, (T)1, tilestep_over(least, most));
  const T quotient = tilestep_choice(most == 0, (T)0, ofEqual);
  const T arc = tilestep_small_atan(quotient);
  const T back = tilestep_choice(isBack, 2 * Angle::kFirst, (T)0);
  const T backLow = tilestep_choice(isBack, 2 * Angle::kSecond, (T)0);
  const T start = tilestep_choice(isSteep, Angle::kFirst, back);
  const T startLow = tilestep_choice(isSteep, Angle::kSecond, backLow);
  const T turn = tilestep_choice(isSteep != isBack, -arc, arc);
  const T turned = tilestep_add(start, tilestep_add(startLow, turn));
  const T angle = copysign(tilestep_choice(isSteep || isBack, turned, arc), y);
  return tilestep_choice(isnan(x) || isnan(y), tilestep_add(x, y), angle);
}

TILESTEP_FUNCTION1(asin)
TILESTEP_FUNCTION1(acos)
TILESTEP_FUNCTION1(atan)
TILESTEP_FUNCTION2(atan2)
