// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "simt/machine.h"

namespace tilestep::simt::TILESTEP_ENGINE {

/// Lane number k is (factor * k + shift) mod 32. The factor is odd.
struct Turns {
  uint32_t factor = 1, shift = 0;
  [[nodiscard]] uint32_t operator[](uint32_t k) const { return (factor * k + shift) % kLanes; }
};

/// Returns the next random bits by splitmix64, which is copied from base/hash.h because the core
/// includes no library code.
inline uint64_t draw(uint64_t& state) {
  uint64_t bits = state += 0x9e3779b97f4a7c15u;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

inline Turns drawTurns(Context& context) {
  if (context.laneOrder == 0) return {};
  const uint64_t bits = draw(context.laneOrder);
  return {static_cast<uint32_t>(bits) | 1, static_cast<uint32_t>(bits >> 32)};
}

}  // namespace tilestep::simt::TILESTEP_ENGINE
