// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// The bytes that every thread of a random program reads and writes.
constexpr uint32_t kThreadInput = 128;
constexpr uint32_t kThreadOutput = 192;

/// The random statements are between these lines, one per line.
constexpr std::string_view kBodyStart = "// body";
constexpr std::string_view kBodyEnd = "// end of the body";

/// A valid PTX module with one kernel `fuzz(out, in)`, the same for the same number. A thread
/// computes only from its own input, selected by its index in the grid, so its output depends on no
/// other thread. The kernel has nested branches, loops with different trip counts, early exits,
/// guards and local memory. It ends.
[[nodiscard]] std::string randomProgram(uint64_t number);

/// A valid PTX module with one kernel with arbitrary branches, the same for the same number: into
/// and out of loops, past unreachable code, and to its end; some kernels have no instructions.
/// Addresses, guards and loop counters come from few registers, so most depend on each other. Use
/// it only for analyses: it may not end, and its addresses are invalid.
[[nodiscard]] std::string randomFlow(uint64_t number);

}  // namespace tilestep::fuzz
