// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// What one warp-level global request demands of the memory system, from its lanes' addresses.
/// Source: CUDA C++ Programming Guide, "Device Memory Accesses" (aligned 32-byte transactions,
/// 128-byte lines); names as in the Nsight Compute memory tables. Pure; safe in any thread.
namespace tilestep::metrics {

constexpr uint32_t kSectorBytes = 32;
constexpr uint32_t kLineBytes = 128;

/// One aligned 32-byte segment and the active lanes (their index in the request) that touch it.
struct Sector {
  uint64_t address = 0;  ///< Address of its first byte.
  std::vector<uint32_t> lanes;
  uint32_t usedBytes = 0;  ///< Bytes of it that at least one lane asks for.
};

struct Coalescing {
  uint32_t lanes = 0;           ///< Active lanes.
  uint64_t askedBytes = 0;      ///< lanes * width.
  uint64_t distinctBytes = 0;   ///< Bytes that at least one lane asks for.
  std::vector<Sector> sectors;  ///< Ascending.
  uint32_t lines = 0;           ///< Distinct 128-byte lines.

  [[nodiscard]] uint64_t movedBytes() const { return sectors.size() * uint64_t{kSectorBytes}; }
  /// distinctBytes / movedBytes, at most 1; 0 for an empty request.
  [[nodiscard]] double usefulShare() const;
  /// nvprof's gld_efficiency: askedBytes / movedBytes. A broadcast counts once a lane, so it may
  /// exceed 1.
  [[nodiscard]] double loadEfficiency() const;
};

/// `addresses`: one an active lane; `width`: bytes each lane moves. A buffer's byte offsets serve
/// as addresses where the buffer is 128-byte aligned.
[[nodiscard]] Coalescing coalesce(std::span<const uint64_t> addresses, uint32_t width);
[[nodiscard]] Coalescing coalesce(std::span<const uint32_t> offsets, uint32_t width);

/// Fewest sectors that `lanes` distinct words of `width` bytes can take.
[[nodiscard]] uint32_t idealSectors(uint32_t lanes, uint32_t width);

}  // namespace tilestep::metrics
