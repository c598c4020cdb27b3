// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace tilestep::cuda {

/// The most registers a thread may take so that as many blocks are resident as of a program with
/// `registers`: those are given out by eight, and with 32 a thread every block finds room.
[[nodiscard]] constexpr uint32_t registersLike(uint32_t registers) {
  return std::clamp((registers + 7) / 8 * 8, 32U, 255U);
}

}  // namespace tilestep::cuda
