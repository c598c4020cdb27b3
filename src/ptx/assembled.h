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

}  // namespace tilestep::ptx
