// SPDX-License-Identifier: Apache-2.0
// Angles in radians reduced to a whole number of right angles and a rest of at most half of one.
#pragma once

#include "cuda_subset_pairs.h"

// `quarters` counts right angles, modulo 4 in its last two bits; the rest is high + low.
template <class T>
struct tilestep_angle {
  int quarters;
  T high, low;
};

// pi/2 in three parts, and the largest angle that is reduced with them.
template <class T>
struct tilestep_angle_constants;
template <>
struct tilestep_angle_constants<float> {
  static constexpr float kMost = 0x1p16f, kInverse = 0.636619747f;
  static constexpr float kFirst = 1.57079637f, kSecond = -4.37113883e-8f, kThird = -1.71512451e-15f;
};
template <>
struct tilestep_angle_constants<double> {
  static constexpr double kMost = 0x1p20, kInverse = 0.6366197723675814;
  static constexpr double kFirst = 1.5707963267948966, kSecond = 6.123233995736766e-17,
                          kThird = -1.4973849048591698e-33;
};

// Cody and Waite's reduction ("Software Manual for the Elementary Functions", 1980, chapter 8).
// The first difference is exact. Of a double, the second is kept with its error.
TILESTEP_PURE tilestep_wide<float> tilestep_past_first(float times, float rest) {
  using Angle = tilestep_angle_constants<float>;
  return {fma(times, -Angle::kThird, fma(times, -Angle::kSecond, rest)), 0};
}
TILESTEP_PURE tilestep_wide<double> tilestep_past_first(double times, double rest) {
  using Angle = tilestep_angle_constants<double>;
  const auto product = tilestep_exact_product(times, Angle::kSecond);
  const auto second = tilestep_exact_sum(rest, -product.high);
  const double low = tilestep_subtract(second.low, product.low);
  return tilestep_ordered_sum(second.high, fma(times, -Angle::kThird, low));
}
template <class T>
TILESTEP_PURE tilestep_angle<T> tilestep_small_angle(T a) {
  using Angle = tilestep_angle_constants<T>;
  const T shifted = fma(a, Angle::kInverse, tilestep_constants<T>::kHalfUnits);
  const T times = tilestep_subtract(shifted, tilestep_constants<T>::kHalfUnits);
  const auto rest = tilestep_past_first(times, fma(times, -Angle::kFirst, a));
  return {tilestep_whole(shifted), rest.high, rest.low};
}

// Words of 64 bits of 2/pi, the first after a word of 0.
constexpr unsigned long long tilestep_two_over_pi(int at) {
  constexpr unsigned long long kWords[] = {0,
                                           0xa2f9836e4e441529ull,
                                           0xfc2757d1f534ddc0ull,
                                           0xdb6295993c439041ull,
                                           0xfe5163abdebbc561ull,
                                           0xb7246e3a424dd2e0ull,
                                           0x06492eea09d1921cull,
                                           0xfe1deb1cb129a73eull,
                                           0xe88235f52ebb4484ull,
                                           0xe99c7026b45f7e41ull,
                                           0x3991d639835339f4ull,
                                           0x9c845f8bbdf9283bull,
                                           0x1ff897ffde05980full,
                                           0xef2f118b5a0a6d1full,
                                           0x6d367ecf27cb09b7ull,
                                           0x4f463f669e5fea2dull,
                                           0x7527bac7ebe5f17bull,
                                           0x3d0739f78a5292eaull,
                                           0x6bfb5fb11f8d5d08ull,
                                           0x56033046fc7b6babull};
  return kWords[at];
}
// The word at `at` + kFirst, where `at` is at most kMost. It is chosen among constants: a table
// would be read from memory.
template <int kFirst, int kMost>
TILESTEP_PURE unsigned long long tilestep_word_of(int at) {
  constexpr unsigned long long kWord = tilestep_two_over_pi(kFirst + kMost);
  if constexpr (kMost == 0) {
    return kWord;
  } else {
    return tilestep_choice(at == kMost, kWord, tilestep_word_of<kFirst, kMost - 1>(at));
  }
}
// The 64 bits that begin `skipped` bits after the first of word kFirst.
template <int kFirst, int kMost>
TILESTEP_PURE unsigned long long tilestep_bits_of(int skipped) {
  const int word = skipped >> 6, bits = skipped & 63;
  const unsigned long long first = tilestep_word_of<kFirst, kMost>(word),
                           next = tilestep_word_of<kFirst + 1, kMost>(word);
  return first << bits | next >> 1 >> (63 - bits);
}

// Payne and Hanek's reduction ("Radian reduction for trigonometric functions", 1983): only those
// bits of 2/pi matter whose product with a's bits is smaller than 4. They are multiplied as whole
// numbers; 2^62 is a right angle. a > 0 is M 2^(power - kFraction) with a whole M.
TILESTEP_PURE tilestep_angle<float> tilestep_large_angle(float a) {
  const unsigned int bits = __float_as_uint(a);
  const int skipped = (int)(bits >> 23) - 127 - 23 - 2 + 64;
  const unsigned long long m = (bits & 0x7fffffu) | 0x800000u;
  const unsigned long long product =
      m * tilestep_bits_of<0, 2>(skipped) + __umul64hi(m, tilestep_bits_of<1, 2>(skipped));
  const unsigned long long quarters = (product + (1ull << 61)) >> 62;
  const unsigned long long part = product - (quarters << 62);
  const bool isNegative = (long long)part < 0;
  // Times pi/2, also as a whole number.
  const unsigned long long rest = __umul64hi(isNegative ? 0 - part : part, 0xc90fdaa22168c234ull);
  const float high = tilestep_times(__ull2float_rn(rest), 0x1p-61f);
  return {(int)quarters, isNegative ? -high : high, 0};
}
TILESTEP_PURE tilestep_angle<double> tilestep_large_angle(double a) {
  using Angle = tilestep_angle_constants<double>;
  const unsigned long long bits = (unsigned long long)__double_as_longlong(a);
  const int skipped = (int)(bits >> 52) - 1023 - 52 - 2 + 64;
  const unsigned long long m = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
  const unsigned long long second = tilestep_bits_of<1, 16>(skipped);
  const unsigned long long secondLow = m * second;
  const unsigned long long low = secondLow + __umul64hi(m, tilestep_bits_of<2, 16>(skipped));
  const unsigned long long high =
      m * tilestep_bits_of<0, 16>(skipped) + __umul64hi(m, second) + (low < secondLow ? 1 : 0);
  const unsigned long long quarters = (high + (1ull << 61)) >> 62;
  const unsigned long long signedHigh = high - (quarters << 62);
  const bool isNegative = (long long)signedHigh < 0;
  // |rest| as two words, and shifted so that the first bit is 1.
  const unsigned long long restHigh = isNegative ? ~signedHigh + (low == 0 ? 1 : 0) : signedHigh;
  const unsigned long long restLow = isNegative ? 0 - low : low;
  const int zeros = min(__clzll((long long)restHigh), 63);
  const unsigned long long top = restHigh << zeros | restLow >> (64 - zeros);
  const unsigned long long next = (top & 0x7ff) << 53 | restLow << zeros >> 11;
  const double unit = tilestep_power_of_two<double>(-62 - zeros);
  const double sign = isNegative ? -unit : unit;
  const tilestep_wide<double> part = {
      tilestep_times(__ull2double_rn(top & ~0x7ffull), sign),
      tilestep_times(tilestep_times(__ull2double_rn(next), 0x1p-53), sign)};
  const auto rest = tilestep_wide_product(part, {Angle::kFirst, Angle::kSecond});
  return {(int)quarters, rest.high, rest.low};
}

// The rest of an infinite angle is NaN.
template <class T>
TILESTEP_PURE tilestep_angle<T> tilestep_reduced_angle(T a) {
  if (fabs(a) <= tilestep_angle_constants<T>::kMost) return tilestep_small_angle(a);
  const tilestep_angle<T> large = tilestep_large_angle(fabs(a));
  const bool isNegative = a < 0;
  const T high = isNegative ? -large.high : large.high, low = isNegative ? -large.low : large.low;
  return {isNegative ? -large.quarters : large.quarters,
          fabs(a) < tilestep_constants<T>::kInfinity ? high : tilestep_constants<T>::kNan, low};
}
