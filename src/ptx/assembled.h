// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace tilestep::ptx {

/// A function's resources, from ptxas's "info" messages. For several targets, the minimum of each.
struct AssembledFunction {
  uint32_t registers = 0;   ///< Per thread, 32 bits each; 0 if not reported.
  uint32_t stackBytes = 0;  ///< Per thread, for one call.
  bool operator==(const AssembledFunction&) const = default;
};

/// By PTX name. Inlined functions are absent. Empty if nothing was assembled.
using Assembled = std::map<std::string, AssembledFunction, std::less<>>;

/// The largest block, in threads, whose registers fit on a multiprocessor. `registers` is per
/// thread, and not 0. By the CUDA Occupancy Calculator's rules for compute capabilities 5.0 to
/// 12.0, a multiprocessor has 64 Ki registers in four parts, and each warp gets a multiple of 256
/// registers from one part.
[[nodiscard]] constexpr uint64_t mostThreadsPerBlock(uint32_t registers) {
  constexpr uint64_t kParts = 4, kOfPart = 16 << 10, kUnit = 256, kLanes = 32;
  const uint64_t ofWarp = (registers * kLanes + kUnit - 1) / kUnit * kUnit;
  return kOfPart / ofWarp * kParts * kLanes;
}

}  // namespace tilestep::ptx
