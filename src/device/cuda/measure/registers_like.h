// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace tilestep::cuda {

/// The most registers per thread with which as many blocks stay resident as with `registers`:
/// registers are allocated in units of eight, and with 32 per thread any number of blocks fits.
[[nodiscard]] constexpr uint32_t registersLike(uint32_t registers) {
  return std::clamp((registers + 7) / 8 * 8, 32U, 255U);
}

}  // namespace tilestep::cuda
