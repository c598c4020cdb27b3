// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilestep::fuzz {

/// The bytes that every thread of a random program reads and writes.
constexpr uint32_t kThreadInput = 128;
constexpr uint32_t kThreadOutput = 192;

/// Between them lies what was thrown together at random, one line a statement.
constexpr std::string_view kBodyStart = "// body";
constexpr std::string_view kBodyEnd = "// end of the body";

/// A valid PTX module with one kernel `fuzz(out, in)`, the same for the same number. A thread
/// computes from its own input alone, by its number in the grid, so its output may depend on no
/// other thread: with nested branches, loops whose trips differ, early exits, guards and local
/// memory. It ends.
[[nodiscard]] std::string randomProgram(uint64_t number);

/// A valid PTX module with one kernel whose branches lead anywhere, the same for the same number:
/// into and out of loops, past code that nothing reaches, and to its end; some have no instruction
/// at all. Addresses, guards and loop counters come from few registers, so most depend on each
/// other. It is for analyses: it may never end, and its addresses lead nowhere.
[[nodiscard]] std::string randomFlow(uint64_t number);

}  // namespace tilestep::fuzz
