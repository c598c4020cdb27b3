// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ptx/ir.h"

/// Code shared by the counting and the tracing instrumentation.
namespace tilestep::ptx {

using Lines = std::vector<std::string>;

[[nodiscard]] std::string number(uint64_t value);

/// Appends `more` to `out`.
void append(Lines& out, Lines more);

/// Removes line information. Rewritten programs are not debugged, and the driver compiles them a
/// third faster without it.
[[nodiscard]] Module withoutLines(Module module);

/// The `.maxntid` that an entry needs for blocks of `threads`; nullopt if it already has a limit.
[[nodiscard]] std::optional<std::string> threadLimit(const Function& entry, uint64_t threads);

/// Code that computes the block's index in the grid (%tstep_t0), the thread's index in its block
/// (%tstep_t3), and the number of warps per block (%tstep_t4). It uses %tstep_t0 to %tstep_t4.
[[nodiscard]] Lines numberThreads();

/// The reason why this entry cannot be instrumented, such as "it calls f at PTX line 7": a call of
/// a function with a body, an indexed branch, or a missing end. Nullopt if it can.
[[nodiscard]] std::optional<std::string> whyNotFollowed(const Module& module,
                                                        const Function& entry);

}  // namespace tilestep::ptx
