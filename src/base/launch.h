// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/dim3.h"

namespace tilestep {

/// The parameters of one kernel launch.
struct Launch {
  std::string entry;
  Dim3 grid, block;
  uint32_t dynamicSharedBytes = 0;
  bool cooperative = false;  ///< All blocks are resident at once and may wait for each other.
};

/// The number of multiprocessors of the NVIDIA H200, which the interpreter imitates.
inline constexpr uint32_t kImitatedMultiprocessors = 132;

/// A device's limits for a launch.
struct Limits {
  std::string device = "this device";
  uint32_t threadsPerBlock = 1024;
  uint32_t sharedBytesPerBlock = 49152;       ///< Static, or dynamic without the opt-in.
  uint32_t sharedBytesPerBlockOptIn = 49152;  ///< Dynamic, with the opt-in.
  Dim3 maxBlock{1024, 1024, 64};
  Dim3 maxGrid{2147483647, 65535, 65535};
  uint64_t memoryBytes = uint64_t{1} << 34;
  uint32_t multiprocessors = kImitatedMultiprocessors;
};

}  // namespace tilestep
