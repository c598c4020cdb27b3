// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/rows.h"

/// Conversions between double and narrow formats. They use integer arithmetic on the bits, so that
/// every CPU gives the same result.
namespace tilestep::simt::TILESTEP_ENGINE {

/// A binary format narrower than double: sign (the highest bit), exponent, mantissa.
template <unsigned exponentBits, unsigned mantissaBits>
struct Format {
  static constexpr unsigned kMantissa = mantissaBits;
  static constexpr uint32_t kSign = 1u << (exponentBits + mantissaBits);
  static constexpr uint32_t kInfinity = ((1u << exponentBits) - 1) << mantissaBits;
  static constexpr uint32_t kNan = kSign - 1;
  static constexpr int kBias = (1 << (exponentBits - 1)) - 1;
};
using Half = Format<5, 10>;
using Bfloat = Format<8, 7>;
using Tf32 = Format<8, 10>;

/// `kept`, plus one if the `shift` bits `rest` below it round away from zero.
template <Round round>
inline uint64_t roundedUp(uint64_t kept, uint64_t rest, unsigned shift, bool negative) {
  const uint64_t half = uint64_t{1} << (shift - 1);
  if constexpr (round == Round::zero) return kept;
  if constexpr (round == Round::down) return kept + (rest != 0 && negative);
  if constexpr (round == Round::up) return kept + (rest != 0 && !negative);
  return kept + (rest > half || (rest == half && (kept & 1) != 0));
}

/// Rounds x to the format F. A NaN keeps its sign and the upper bits of its payload.
template <class F, Round round>
inline uint32_t narrow(double x) {
  constexpr uint64_t kDoubleInfinity = uint64_t{0x7ff} << 52;
  constexpr unsigned kShift = 52 - F::kMantissa;
  constexpr int64_t kOffset = int64_t{1023 - F::kBias} << F::kMantissa;
  const auto bits = __builtin_bit_cast(uint64_t, x);
  const bool negative = (bits >> 63) != 0;
  const uint64_t magnitude = bits & ~(uint64_t{1} << 63);
  const uint32_t sign = negative ? F::kSign : 0;

  // Below the smallest normal number, the unit in the last place is constant.
  const auto exponent = static_cast<int64_t>(magnitude >> 52);
  const int64_t below = 1024 - F::kBias - exponent;
  const bool subnormal = below > 0;
  const auto extra =
      static_cast<unsigned>(subnormal ? (below < 62 - kShift ? below : 62 - kShift) : 0);
  const unsigned shift = kShift + extra;
  const uint64_t leading = exponent != 0 ? uint64_t{1} << 52 : 0;
  const uint64_t significand =
      subnormal ? (magnitude & ((uint64_t{1} << 52) - 1)) | leading : magnitude;
  const uint64_t rest = significand & ((uint64_t{1} << shift) - 1);
  const uint64_t rounded = roundedUp<round>(significand >> shift, rest, shift, negative);
  const auto value = static_cast<int64_t>(rounded) - (subnormal ? 0 : kOffset);

  const bool outward = round == Round::nearest || (round == Round::up && !negative) ||
                       (round == Round::down && negative);
  const int64_t largest = outward ? F::kInfinity : F::kInfinity - 1;
  const auto finite = static_cast<uint32_t>(value > largest ? largest : value);
  const auto payload =
      static_cast<uint32_t>(magnitude >> kShift) & (F::kInfinity - 1) & ((1u << F::kMantissa) - 1);
  const uint32_t nan = F::kInfinity | (1u << (F::kMantissa - 1)) | payload;
  const uint32_t special = magnitude > kDoubleInfinity ? nan : F::kInfinity;
  return sign | (magnitude >= kDoubleInfinity ? special : finite);
}

inline double widenHalf(uint32_t bits) {
  const uint32_t magnitude = bits & 0x7fff, sign = (bits & 0x8000) << 16;
  // The exponent is first too small by 112, the difference of the biases, and then corrected by a
  // multiplication, which is exact for subnormal numbers, too.
  const auto scaled = __builtin_bit_cast(float, magnitude << 13) * 0x1p112F;
  const uint32_t special = 0x7f800000 | (magnitude & 0x3ff) << 13;
  const uint32_t whole =
      magnitude >= Half::kInfinity ? special : __builtin_bit_cast(uint32_t, scaled);
  return double{__builtin_bit_cast(float, whole | sign)};
}

inline double widenBfloat(uint32_t bits) {
  return double{__builtin_bit_cast(float, bits << 16)};
}

template <class F>
inline double widen(uint32_t bits) {
  if constexpr (F::kMantissa == 10) return widenHalf(bits);
  return widenBfloat(bits);
}

/// a + b, rounded to odd, so that a further rounding gives the same result as rounding once.
/// Knuth's TwoSum gives the rounding error.
inline double oddSum(double a, double b) {
  const double sum = a + b, other = sum - a;
  const double rest = (a - (sum - other)) + (b - other);
  const auto bits = __builtin_bit_cast(uint64_t, sum);
  const uint64_t step = (rest > 0) == (sum > 0) ? uint64_t{1} : ~uint64_t{0};
  const bool moves = (rest > 0 || rest < 0) && (bits & 1) == 0;
  return __builtin_bit_cast(double, moves ? bits + step : bits);
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
