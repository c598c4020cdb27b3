// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tilestep::program {

/// Bytes of the device's memory: [begin, end), not empty.
struct ByteRange {
  uint64_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

/// Ascending and disjoint.
using Ranges = std::vector<ByteRange>;

[[nodiscard]] uint64_t bytesIn(const Ranges& ranges);
[[nodiscard]] Ranges unite(const Ranges& a, const Ranges& b);
/// The intersection.
[[nodiscard]] Ranges common(const Ranges& a, const Ranges& b);
/// The difference: in `a` but not in `b`.
[[nodiscard]] Ranges without(const Ranges& a, const Ranges& b);

}  // namespace tilestep::program
