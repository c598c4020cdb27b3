// SPDX-License-Identifier: Apache-2.0
// Sine, cosine and tangent: minimax polynomials by Remez's algorithm within an eighth of a turn,
// to which cuda_subset_angles.h reduces all angles.
#pragma once

#include "cuda_subset_angles.h"

// For |a| <= pi/4 and z = a^2: (sin(a) / a - 1) / z, (cos(a) - 1 + z / 2) / z^2 and
// (tan(a) / a - 1) / z.
TILESTEP_PURE float tilestep_sin_tail(float z) {
  return tilestep_polynomial(z, -0.000195187909f, 0.00833219197f, -0.166666552f);
}
TILESTEP_PURE double tilestep_sin_tail(double z) {
  return tilestep_polynomial(z, 1.5896909634821346e-10, -2.5050760245912432e-8,
                             2.755731370701238e-6, -0.00019841269829857787, 0.00833333333332249,
                             -0.16666666666666632);
}
TILESTEP_PURE float tilestep_cos_tail(float z) {
  return tilestep_polynomial(z, 2.44306684e-5f, -0.00138873013f, 0.0416666456f);
}
TILESTEP_PURE double tilestep_cos_tail(double z) {
  return tilestep_polynomial(z, -1.1359934149084262e-11, 2.0875729279996937e-9,
                             -2.7557314401025444e-7, 2.480158728967153e-5, -0.0013888888888874474,
                             0.0416666666666666);
}
TILESTEP_PURE float tilestep_tan_tail(float z) {
  return tilestep_polynomial(z, 0.00946341082f, 0.00297874096f, 0.0245250333f, 0.0533824004f,
                             0.133391812f, 0.333331406f);
}
TILESTEP_PURE double tilestep_tan_tail(double z) {
  return tilestep_polynomial(z, 2.1033341420319432e-5, -4.560955910661596e-5, 9.086176611845327e-5,
                             -2.7980676500149014e-5, 0.00013770392877779185, 0.00022178261670453253,
                             0.000595276713506737, 0.001454705096087563, 0.003592298238439251,
                             0.008863218092467342, 0.02186948968958644, 0.05396825392309362,
                             0.13333333333422612, 0.33333333333332715);
}
// For |a| <= 1/4 and z = a^2: (sin(pi a) / a - pi) / z and (cos(pi a) - 1) / z.
TILESTEP_PURE float tilestep_sinpi_tail(float z) {
  return tilestep_polynomial(z, -0.589576125f, 2.54981971f, -5.16770935f);
}
TILESTEP_PURE double tilestep_sinpi_tail(double z) {
  return tilestep_polynomial(z, 0.000461598901733607, -0.007370035095317916, 0.08214587022356129,
                             -0.5992645289781374, 2.5501640398740593, -5.16771278004996);
}
TILESTEP_PURE float tilestep_cospi_tail(float z) {
  return tilestep_polynomial(z, 0.228754759f, -1.33473623f, 4.05869627f, -4.93480206f);
}
TILESTEP_PURE double tilestep_cospi_tail(double z) {
  return tilestep_polynomial(z, -0.00010298034401418652, 0.0019293401755577616,
                             -0.025806875174884808, 0.23533062976210636, -1.3352627688430896,
                             4.058712126416665, -4.934802200544679);
}

// Of the rest a + low of an angle; a float's low is 0.
TILESTEP_PURE float tilestep_small_sin(float a, float) {
  const float z = tilestep_times(a, a);
  return fma(tilestep_times(a, z), tilestep_sin_tail(z), a);
}
TILESTEP_PURE double tilestep_small_sin(double a, double low) {
  const double z = tilestep_times(a, a);
  return tilestep_add(a, fma(tilestep_times(a, z), tilestep_sin_tail(z), low));
}
TILESTEP_PURE float tilestep_small_cos(float a, float) {
  const float z = tilestep_times(a, a);
  return fma(z, fma(z, tilestep_cos_tail(z), -0.5f), 1.0f);
}
TILESTEP_PURE double tilestep_small_cos(double a, double low) {
  const double z = tilestep_times(a, a);
  const double most = fma(-0.5, z, 1.0), lost = fma(-0.5, z, tilestep_subtract(1.0, most));
  const double fine = fma(tilestep_times(z, z), tilestep_cos_tail(z), fma(-a, low, lost));
  return tilestep_add(most, fine);
}

// Of a whole number of quarter turns and a rest, whose sine and cosine are known.
template <class T>
TILESTEP_PURE T tilestep_turned(int quarters, T sine, T cosine) {
  const T value = tilestep_choice((quarters & 1) != 0, cosine, sine);
  return tilestep_choice((quarters & 2) != 0, -value, value);
}

template <class T>
TILESTEP_PURE T tilestep_sin(T a) {
  const tilestep_angle<T> angle = tilestep_reduced_angle(a);
  const T value = tilestep_turned(angle.quarters, tilestep_small_sin(angle.high, angle.low),
                                  tilestep_small_cos(angle.high, angle.low));
  return tilestep_choice(a == 0, a, value);
}
template <class T>
TILESTEP_PURE T tilestep_cos(T a) {
  const tilestep_angle<T> angle = tilestep_reduced_angle(a);
  return tilestep_turned(angle.quarters + 1, tilestep_small_sin(angle.high, angle.low),
                         tilestep_small_cos(angle.high, angle.low));
}
template <class T>
TILESTEP_INLINE void tilestep_sincos(T a, T* sine, T* cosine) {
  const tilestep_angle<T> angle = tilestep_reduced_angle(a);
  const T ofSine = tilestep_small_sin(angle.high, angle.low),
          ofCosine = tilestep_small_cos(angle.high, angle.low);
  const T value = tilestep_turned(angle.quarters, ofSine, ofCosine);
  *sine = tilestep_choice(a == 0, a, value);
  *cosine = tilestep_turned(angle.quarters + 1, ofSine, ofCosine);
}

// tan(a + low), or its negative inverse, which is the tangent a quarter turn on. A double's is made
// of a pair, and one step of Newton's method corrects the quotient.
TILESTEP_PURE float tilestep_small_tan(float a, float, bool isInverse) {
  const float z = tilestep_times(a, a);
  const float tangent = fma(tilestep_times(a, z), tilestep_tan_tail(z), a);
  return isInverse ? tilestep_over(-1.0f, tangent) : tangent;
}
TILESTEP_PURE double tilestep_small_tan(double a, double low, bool isInverse) {
  const double z = tilestep_times(a, a);
  const double rest = fma(tilestep_times(a, z), tilestep_tan_tail(z), fma(z, low, low));
  const tilestep_wide<double> tangent = tilestep_ordered_sum(a, rest);
  const double inverse = tilestep_over(-1.0, tangent.high);
  const double error = fma(inverse, tangent.low, fma(inverse, tangent.high, 1.0));
  return isInverse ? fma(inverse, error, inverse) : tangent.high;
}
template <class T>
TILESTEP_PURE T tilestep_tan(T a) {
  const tilestep_angle<T> angle = tilestep_reduced_angle(a);
  const T value = tilestep_small_tan(angle.high, angle.low, (angle.quarters & 1) != 0);
  return a == 0 ? a : value;
}

// The angle pi a in the same form: a rest in half turns, which is exact, and quarters. Beyond
// 2^24 (2^53) all numbers are even; of infinity the rest is NaN.
TILESTEP_PURE tilestep_angle<float> tilestep_half_turns(float a) {
  const float bounded = tilestep_choice(fabs(a) < 0x1p24f, a, tilestep_times(a, 0.0f));
  const float twice = tilestep_add(bounded, bounded);
  return {__float2int_rn(twice), fma(rint(twice), -0.5f, bounded), 0};
}
TILESTEP_PURE tilestep_angle<double> tilestep_half_turns(double a) {
  const double bounded = tilestep_choice(fabs(a) < 0x1p53, a, tilestep_times(a, 0.0));
  const double twice = tilestep_add(bounded, bounded);
  return {(int)__double2ll_rn(twice), fma(rint(twice), -0.5, bounded), 0};
}
template <class T>
struct tilestep_pi;
template <>
struct tilestep_pi<float> {
  static constexpr float kHigh = 3.14159274f, kLow = -8.74227766e-8f;
};
template <>
struct tilestep_pi<double> {
  static constexpr double kHigh = 3.141592653589793, kLow = 1.2246467991473532e-16;
};
template <class T>
TILESTEP_PURE T tilestep_small_sinpi(T a) {
  const T z = tilestep_times(a, a);
  const T tail = fma(z, tilestep_sinpi_tail(z), tilestep_pi<T>::kLow);
  return fma(a, tilestep_pi<T>::kHigh, tilestep_times(a, tail));
}
template <class T>
TILESTEP_PURE T tilestep_small_cospi(T a) {
  const T z = tilestep_times(a, a);
  return fma(z, tilestep_cospi_tail(z), (T)1);
}
// A sine of 0 has the sign of its argument, a cosine of 0 is positive (IEEE 754-2019, 9.2).
template <class T>
TILESTEP_INLINE void tilestep_sincospi(T a, T* sine, T* cosine) {
  const tilestep_angle<T> angle = tilestep_half_turns(a);
  const T ofSine = tilestep_small_sinpi(angle.high), ofCosine = tilestep_small_cospi(angle.high);
  const T first = tilestep_turned(angle.quarters, ofSine, ofCosine),
          second = tilestep_turned(angle.quarters + 1, ofSine, ofCosine);
  *sine = tilestep_choice(first == 0, copysign((T)0, a), first);
  *cosine = tilestep_choice(second == 0, (T)0, second);
}
template <class T>
TILESTEP_PURE T tilestep_sinpi(T a) {
  T sine = 0, cosine = 0;
  tilestep_sincospi(a, &sine, &cosine);
  return sine;
}
template <class T>
TILESTEP_PURE T tilestep_cospi(T a) {
  T sine = 0, cosine = 0;
  tilestep_sincospi(a, &sine, &cosine);
  return cosine;
}

TILESTEP_FUNCTION1(sin)
TILESTEP_FUNCTION1(cos)
TILESTEP_FUNCTION1(tan)
TILESTEP_FUNCTION1(sinpi)
TILESTEP_FUNCTION1(cospi)

#define TILESTEP_BOTH_OF(name)                                        \
  TILESTEP_INLINE void name##f(float a, float* sine, float* cosine) { \
    tilestep_##name(a, sine, cosine);                                 \
  }                                                                   \
  TILESTEP_INLINE void name(float a, float* sine, float* cosine) {    \
    tilestep_##name(a, sine, cosine);                                 \
  }                                                                   \
  TILESTEP_INLINE void name(double a, double* sine, double* cosine) { \
    tilestep_##name(a, sine, cosine);                                 \
  }
TILESTEP_BOTH_OF(sincos)
TILESTEP_BOTH_OF(sincospi)
#undef TILESTEP_BOTH_OF
