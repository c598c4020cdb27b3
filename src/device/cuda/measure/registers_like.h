// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace tilestep::cuda {

/// The most registers per thread that leave as many blocks resident as `registers` does. Registers
/// are allocated in units of eight, and 32 per thread never limit the number of blocks.
[[nodiscard]] constexpr uint32_t registersLike(uint32_t registers) {
  return std::clamp((registers + 7) / 8 * 8, 32U, 255U);
}

}  // namespace tilestep::cuda
