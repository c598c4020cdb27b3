// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ptx/ir.h"

/// Code shared by the instrumentation for counting, tracing and clocks.
namespace tilestep::ptx {

using Lines = std::vector<std::string>;

[[nodiscard]] std::string number(uint64_t value);

void append(Lines& out, Lines more);

/// Removes line information, because the driver compiles a third faster without it.
[[nodiscard]] Module withoutLines(Module module);

/// The `.maxntid` directive that the entry needs for blocks of `threads` threads; nullopt if the
/// entry already has a limit.
[[nodiscard]] std::optional<std::string> threadLimit(const Function& entry, uint64_t threads);

/// Code that sets %tstep_t0 to the block's linear index in the grid, %tstep_t3 to the thread's
/// linear index in its block, and %tstep_t4 to the number of warps per block. Also overwrites
/// %tstep_t1 and %tstep_t2.
[[nodiscard]] Lines numberThreads();

/// The reason why the entry cannot be instrumented, such as "it calls f at PTX line 7": it calls a
/// function that has a body, contains an indexed branch, or does not end with a return. Nullopt if
/// it can be instrumented.
[[nodiscard]] std::optional<std::string> whyNotFollowed(const Module& module,
                                                        const Function& entry);

}  // namespace tilestep::ptx
