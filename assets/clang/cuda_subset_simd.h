// SPDX-License-Identifier: Apache-2.0
// A word as two halves or four bytes (CUDA Math API, "SIMD Intrinsics").
#pragma once

#include "cuda_subset_integers.h"
#include "cuda_subset_vectors.h"

// `body` runs for each lane: `x` and `y` are the lanes of a and b, `mask` is a lane full of ones,
// `least` and `most` are the smallest and the largest number that a lane holds.
#define TILESTEP_EACH_LANE(laneType, body)                                          \
  constexpr int bits = 8 * sizeof(laneType);                                        \
  [[maybe_unused]] constexpr unsigned int mask = (1u << bits) - 1;                  \
  [[maybe_unused]] constexpr int least = (laneType)-1 < 0 ? -(1 << (bits - 1)) : 0; \
  [[maybe_unused]] constexpr int most = least + (int)mask;                          \
  unsigned int d = 0;                                                               \
  _Pragma("unroll") for (int shift = 0; shift < 32; shift += bits) {                \
    const int x = (laneType)(a >> shift);                                           \
    [[maybe_unused]] const int y = (laneType)(b >> shift);                          \
    body;                                                                           \
  }                                                                                 \
  return d;

#define TILESTEP_LANES(name, laneType, expression)                                \
  TILESTEP_PURE unsigned int name(unsigned int a, unsigned int b) {               \
    TILESTEP_EACH_LANE(laneType, d |= ((unsigned int)(expression)&mask) << shift) \
  }
#define TILESTEP_SIGNED_LANES(name, expression) \
  TILESTEP_LANES(name##2, short, expression)    \
  TILESTEP_LANES(name##4, signed char, expression)
#define TILESTEP_UNSIGNED_LANES(name, expression)     \
  TILESTEP_LANES(name##2, unsigned short, expression) \
  TILESTEP_LANES(name##4, unsigned char, expression)

TILESTEP_PURE int tilestep_clamped(int value, int least, int most) {
  return value < least ? least : value > most ? most : value;
}

TILESTEP_UNSIGNED_LANES(__vadd, x + y)
TILESTEP_SIGNED_LANES(__vaddss, tilestep_clamped(x + y, least, most))
TILESTEP_UNSIGNED_LANES(__vaddus, tilestep_clamped(x + y, least, most))
TILESTEP_UNSIGNED_LANES(__vsub, x - y)
TILESTEP_SIGNED_LANES(__vsubss, tilestep_clamped(x - y, least, most))
TILESTEP_UNSIGNED_LANES(__vsubus, tilestep_clamped(x - y, least, most))
TILESTEP_SIGNED_LANES(__vabsdiffs, x < y ? y - x : x - y)
TILESTEP_UNSIGNED_LANES(__vabsdiffu, x < y ? y - x : x - y)
// Means: rounded up, away from zero where they are signed, and (__vhaddu) down.
TILESTEP_SIGNED_LANES(__vavgs, (x + y + (x + y >= 0)) >> 1)
TILESTEP_UNSIGNED_LANES(__vavgu, (x + y + 1) >> 1)
TILESTEP_UNSIGNED_LANES(__vhaddu, (x + y) >> 1)
TILESTEP_SIGNED_LANES(__vmaxs, x < y ? y : x)
TILESTEP_UNSIGNED_LANES(__vmaxu, x < y ? y : x)
TILESTEP_SIGNED_LANES(__vmins, y < x ? y : x)
TILESTEP_UNSIGNED_LANES(__vminu, y < x ? y : x)

// __vcmp… fills a lane with ones where the comparison holds, __vset… sets it to one.
#define TILESTEP_COMPARED_LANES(kind, suffix, comparison)               \
  TILESTEP_##kind##_LANES(__vcmp##suffix, (x comparison y) ? mask : 0u) \
      TILESTEP_##kind##_LANES(__vset##suffix, (x comparison y) ? 1u : 0u)
TILESTEP_COMPARED_LANES(UNSIGNED, eq, ==)
TILESTEP_COMPARED_LANES(UNSIGNED, ne, !=)
TILESTEP_COMPARED_LANES(SIGNED, ges, >=)
TILESTEP_COMPARED_LANES(UNSIGNED, geu, >=)
TILESTEP_COMPARED_LANES(SIGNED, gts, >)
TILESTEP_COMPARED_LANES(UNSIGNED, gtu, >)
TILESTEP_COMPARED_LANES(SIGNED, les, <=)
TILESTEP_COMPARED_LANES(UNSIGNED, leu, <=)
TILESTEP_COMPARED_LANES(SIGNED, lts, <)
TILESTEP_COMPARED_LANES(UNSIGNED, ltu, <)
#undef TILESTEP_COMPARED_LANES

// The sum of the lanes' absolute differences.
#define TILESTEP_LANE_SUM(name, laneType)                                    \
  TILESTEP_PURE unsigned int name(unsigned int a, unsigned int b) {          \
    TILESTEP_EACH_LANE(laneType, d += (unsigned int)(x < y ? y - x : x - y)) \
  }
TILESTEP_LANE_SUM(__vsads2, short)
TILESTEP_LANE_SUM(__vsads4, signed char)
TILESTEP_LANE_SUM(__vsadu2, unsigned short)
TILESTEP_LANE_SUM(__vsadu4, unsigned char)
#undef TILESTEP_LANE_SUM

// Of one operand; the …ss functions turn the smallest number into the largest.
#define TILESTEP_ONE_OPERAND(name, laneType, expression)                          \
  TILESTEP_PURE unsigned int name(unsigned int a) {                               \
    const unsigned int b = 0;                                                     \
    TILESTEP_EACH_LANE(laneType, d |= ((unsigned int)(expression)&mask) << shift) \
  }
#define TILESTEP_ONE_OPERAND_LANES(name, expression) \
  TILESTEP_ONE_OPERAND(name##2, short, expression)   \
  TILESTEP_ONE_OPERAND(name##4, signed char, expression)
TILESTEP_ONE_OPERAND_LANES(__vabs, x < 0 ? -x : x)
TILESTEP_ONE_OPERAND_LANES(__vabsss, tilestep_clamped(x < 0 ? -x : x, least, most))
TILESTEP_ONE_OPERAND_LANES(__vneg, -x)
TILESTEP_ONE_OPERAND_LANES(__vnegss, tilestep_clamped(-x, least, most))
#undef TILESTEP_ONE_OPERAND_LANES
#undef TILESTEP_ONE_OPERAND

#undef TILESTEP_SIGNED_LANES
#undef TILESTEP_UNSIGNED_LANES
#undef TILESTEP_LANES
#undef TILESTEP_EACH_LANE

// The dot products of cuda_subset_integers.h, for vectors.
TILESTEP_PURE int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
TILESTEP_PURE unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return __dp4a(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}
TILESTEP_PURE int __dp2a_lo(short2 a, char4 b, int c) {
  return __dp2a_lo(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
TILESTEP_PURE int __dp2a_hi(short2 a, char4 b, int c) {
  return __dp2a_hi(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
