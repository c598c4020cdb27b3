// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/engine/rows.h"

namespace tilestep::simt::TILESTEP_ENGINE {

/// The neighbour of x below (above) it; x is finite.
inline float nextBelow(float x) {
  if (x == 0) return __builtin_bit_cast(float, uint32_t{0x80000001});
  const auto bits = __builtin_bit_cast(uint32_t, x);
  return __builtin_bit_cast(float, x > 0 ? bits - 1 : bits + 1);
}
inline float nextAbove(float x) {
  return -nextBelow(-x);
}

/// The exact number value + rest, rounded to a float as `round` says; |rest| is at most half a unit
/// of value's last place.
inline float directedFloat(double value, double rest, Round round) {
  const float nearest = static_cast<float>(value);
  if (value != value || value - value != 0 || round == Round::nearest) return nearest;
  // Past the largest float: rounding inward stops at it.
  const double error =
      nearest - nearest != 0 ? (nearest > 0 ? 1.0 : -1.0) : (double{nearest} - value) - rest;
  const bool above = error > 0, below = error < 0;
  const bool down = round == Round::down || (round == Round::zero && value > 0);
  const bool up = round == Round::up || (round == Round::zero && value < 0);
  if (above && down) return nextBelow(nearest);
  if (below && up) return nextAbove(nearest);
  return nearest;
}

/// a + b of doubles, rounded once to a float. Knuth's TwoSum gives the part that a double loses.
inline float directedSum(double a, double b, Round round) {
  const double sum = a + b;
  if (sum == 0) {
    const bool bothMinus = __builtin_signbit(a) && __builtin_signbit(b);
    const bool exact = !__builtin_signbit(a) && !__builtin_signbit(b);
    return bothMinus || (!exact && round == Round::down) ? -0.0F : 0.0F;
  }
  const double other = sum - a;
  const double rest = (a - (sum - other)) + (b - other);
  return directedFloat(sum, rest, round);
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
