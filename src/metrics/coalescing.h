// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// The cost of one warp-level global request to the memory system, from its lanes' addresses.
/// Source: CUDA C++ Programming Guide, "Device Memory Accesses" (aligned 32-byte transactions,
/// 128-byte lines); names as in the Nsight Compute memory tables. Pure; thread-safe.
namespace tilestep::metrics {

constexpr uint32_t kSectorBytes = 32;
constexpr uint32_t kLineBytes = 128;

/// One aligned 32-byte segment and the active lanes (their index in the request) that access it.
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
  /// nvprof's gld_efficiency: askedBytes / movedBytes. A broadcast counts once per lane, so it may
  /// exceed 1.
  [[nodiscard]] double loadEfficiency() const;
};

/// `addresses`: one per active lane; `width`: bytes per lane. Byte offsets into a 128-byte-aligned
/// buffer can be used as addresses.
[[nodiscard]] Coalescing coalesce(std::span<const uint64_t> addresses, uint32_t width);
[[nodiscard]] Coalescing coalesce(std::span<const uint32_t> offsets, uint32_t width);

/// The fewest sectors for `lanes` distinct words of `width` bytes.
[[nodiscard]] uint32_t idealSectors(uint32_t lanes, uint32_t width);

}  // namespace tilestep::metrics
