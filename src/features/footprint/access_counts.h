// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "features/names.h"
#include "metrics/coalescing.h"

namespace tilestep::features {

/// The kinds of request to global memory. Asynchronous copies are loads, as in a grid's counts.
enum class AccessKind : uint8_t { load, store, atomic };
inline constexpr size_t kAccessKinds = 3;

/// Sums over requests to global memory. Memory moves whole sectors of 32 bytes on today's GPUs, and
/// whole lines of 128 bytes on GPUs that filled their L1 by lines.
struct AccessCounts {
  uint64_t requests = 0;       ///< Warp instructions.
  uint64_t sectors = 0;        ///< Distinct sectors per request, summed over requests.
  uint64_t lines = 0;          ///< Distinct lines per request, summed over requests.
  uint64_t askedBytes = 0;     ///< Bytes that lanes request; a broadcast counts once per lane.
  uint64_t distinctBytes = 0;  ///< Distinct bytes per request, summed over requests.

  AccessCounts& operator+=(const AccessCounts& other) {
    requests += other.requests;
    sectors += other.sectors;
    lines += other.lines;
    askedBytes += other.askedBytes;
    distinctBytes += other.distinctBytes;
    return *this;
  }
  bool operator==(const AccessCounts&) const = default;

  [[nodiscard]] double sectorsARequest() const { return ratio(sectors, requests); }
  [[nodiscard]] double linesARequest() const { return ratio(lines, requests); }
  /// Distinct bytes / (32 * sectors), at most 1.
  [[nodiscard]] double usefulShare() const {
    return ratio(distinctBytes, sectors * metrics::kSectorBytes);
  }
  /// Distinct bytes / (128 * lines), at most 1.
  [[nodiscard]] double usefulShareOfLines() const {
    return ratio(distinctBytes, lines * metrics::kLineBytes);
  }
  /// The same as nvprof's gld_efficiency and gst_efficiency; above 1 if lanes share elements.
  [[nodiscard]] double efficiency() const {
    return ratio(askedBytes, sectors * metrics::kSectorBytes);
  }

 private:
  static double ratio(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
};

/// Indexed by AccessKind.
using CountsByKind = std::array<AccessCounts, kAccessKinds>;

}  // namespace tilestep::features
