// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilestep {

/// CUDA's dim3: a count or an index along x, y, z.
struct Dim3 {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;

  [[nodiscard]] uint64_t count() const { return uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

inline constexpr uint32_t kWarpLanes = 32;

/// ceil(a / b) for b > 0.
[[nodiscard]] constexpr uint64_t ceilDiv(uint64_t a, uint64_t b) {
  return a / b + (a % b != 0);
}

}  // namespace tilestep
