// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tilestep::trace {

/// The number of units of `unit` bytes, such as sectors, that the ranges [offset, offset + width)
/// overlap. The offsets must ascend, and `width` must not be 0.
[[nodiscard]] inline uint64_t unitsTouched(const std::vector<uint64_t>& offsets, uint64_t width,
                                           uint64_t unit) {
  uint64_t touched = 0, next = 0;
  for (const uint64_t offset : offsets) {
    const uint64_t first = std::max(offset / unit, next), last = (offset + width - 1) / unit;
    if (first > last) continue;
    touched += last - first + 1;
    next = last + 1;
  }
  return touched;
}

}  // namespace tilestep::trace
