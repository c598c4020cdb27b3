// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// The sectors and lines of a warp's global-memory request, computed from its lanes' addresses.
/// Source: CUDA C++ Programming Guide, "Device Memory Accesses" (aligned 32-byte transactions,
/// 128-byte lines). Names are those of Nsight Compute's memory tables. Pure; thread-safe.
namespace tilestep::metrics {

constexpr uint32_t kSectorBytes = 32;
constexpr uint32_t kLineBytes = 128;

/// An aligned 32-byte sector and the active lanes (as indices in the request) that access it.
struct Sector {
  uint64_t address = 0;  ///< Address of its first byte.
  std::vector<uint32_t> lanes;
  uint32_t usedBytes = 0;  ///< Bytes that at least one lane requests.
};

struct Coalescing {
  uint32_t lanes = 0;           ///< Active lanes.
  uint64_t askedBytes = 0;      ///< lanes * width.
  uint64_t distinctBytes = 0;   ///< Bytes that at least one lane requests.
  std::vector<Sector> sectors;  ///< Ascending.
  uint32_t lines = 0;           ///< Distinct 128-byte lines.

  [[nodiscard]] uint64_t movedBytes() const { return sectors.size() * uint64_t{kSectorBytes}; }
  /// distinctBytes / movedBytes, at most 1; 0 for an empty request.
  [[nodiscard]] double usefulShare() const;
  /// askedBytes / movedBytes, nvprof's gld_efficiency. It may exceed 1, because the bytes of a
  /// broadcast count once per lane.
  [[nodiscard]] double loadEfficiency() const;
};

/// `addresses` has one element per active lane; `width` is the bytes per lane. Byte offsets in a
/// 128-byte-aligned buffer can be used as addresses.
[[nodiscard]] Coalescing coalesce(std::span<const uint64_t> addresses, uint32_t width);
[[nodiscard]] Coalescing coalesce(std::span<const uint32_t> offsets, uint32_t width);

/// The fewest sectors for `lanes` distinct words of `width` bytes.
[[nodiscard]] uint32_t idealSectors(uint32_t lanes, uint32_t width);

}  // namespace tilestep::metrics
