// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/rows.h"

/// Half types as bits, through f32: exact there, and one addition or multiplication rounded to f32
/// and then to a half type is rounded right, as f32 has more than twice its digits and two.
namespace tilestep::simt::TILESTEP_ENGINE {

inline float fromHalf(uint16_t half) {
  const uint32_t sign = uint32_t{half & 0x8000u} << 16, magnitude = half & 0x7fffu;
  if (magnitude >= 0x7c00u) {
    return __builtin_bit_cast(float, sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
  }
  // Scaling by 2^112 moves the exponent's bias and makes subnormals normal.
  const float scaled = __builtin_bit_cast(float, magnitude << 13) * 0x1p112f;
  return __builtin_bit_cast(float, sign | __builtin_bit_cast(uint32_t, scaled));
}

/// To the nearest, ties to even; every NaN becomes 0x7fff.
inline uint16_t halfOf(float value) {
  const auto bits = __builtin_bit_cast(uint32_t, value);
  const auto sign = static_cast<uint16_t>((bits >> 16) & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fff;
  if (magnitude >= 0x47800000u) return static_cast<uint16_t>(sign | 0x7c00u);
  if (magnitude < 0x38800000u) {
    // Adding 1/2 leaves a subnormal half in the last bits, rounded by the addition.
    const float sum = __builtin_bit_cast(float, magnitude) + 0.5f;
    return static_cast<uint16_t>(sign | (__builtin_bit_cast(uint32_t, sum) - 0x3f000000u));
  }
  const uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

inline float fromBfloat(uint16_t bits) {
  return __builtin_bit_cast(float, uint32_t{bits} << 16);
}

inline uint16_t bfloatOf(float value) {
  const auto bits = __builtin_bit_cast(uint32_t, value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return static_cast<uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
