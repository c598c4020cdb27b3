// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace tilestep::ptx {

/// What only an assembler knows of a function: ptxas, by its "info" messages. Where it was asked
/// for several kinds of GPUs, the fewest of them.
struct AssembledFunction {
  uint32_t registers = 0;   ///< Of a thread, 32 bits each; 0: not said.
  uint32_t stackBytes = 0;  ///< Of a thread, for one call.
  bool operator==(const AssembledFunction&) const = default;
};

/// By name as PTX has it; functions that were inlined are missing. Empty: nothing was assembled.
using Assembled = std::map<std::string, AssembledFunction, std::less<>>;

/// The threads of the largest block whose registers a multiprocessor has, by the rules of the CUDA
/// Occupancy Calculator for compute capabilities 5.0 to 12.0: 64 Ki registers in four parts, and
/// each warp takes a multiple of 256 from one of them. `registers`: of a thread, not 0.
[[nodiscard]] constexpr uint64_t mostThreadsPerBlock(uint32_t registers) {
  constexpr uint64_t kParts = 4, kOfPart = 16 << 10, kUnit = 256, kLanes = 32;
  const uint64_t ofWarp = (registers * kLanes + kUnit - 1) / kUnit * kUnit;
  return kOfPart / ofWarp * kParts * kLanes;
}

}  // namespace tilestep::ptx
