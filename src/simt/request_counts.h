// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Counts of a warp's memory request, computed from its lanes' addresses as the interpreter does
/// (defined in docs/architecture/data-and-counts.md). At least one lane must be active, and each
/// address must be a multiple of `bytes`, the width of one lane's access.
namespace tilestep::simt {

struct GlobalRequest {
  uint32_t sectors = 0;
  uint32_t distinctBytes = 0;
};
[[nodiscard]] GlobalRequest globalRequest(const int64_t* addresses, uint32_t mask, uint32_t bytes);

struct SharedRequest {
  uint32_t wavefronts = 0;
  uint32_t bankConflicts = 0;
};
[[nodiscard]] SharedRequest sharedRequest(const int64_t* addresses, uint32_t mask, uint32_t bytes);

}  // namespace tilestep::simt
