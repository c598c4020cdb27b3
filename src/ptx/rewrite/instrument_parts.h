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

/// Removes line information: nobody debugs a rewritten program, and without it the driver compiles
/// a third faster.
[[nodiscard]] Module withoutLines(Module module);

/// The `.maxntid` that an entry needs for blocks of `threads`; nothing if it already has a limit.
[[nodiscard]] std::optional<std::string> threadLimit(const Function& entry, uint64_t threads);

/// Code that puts numbers into registers: the block's among all blocks into %tstep_t0, the thread's
/// in its block into %tstep_t3, and the warps of a block into %tstep_t4. It uses %tstep_t0 to t4.
[[nodiscard]] Lines numberThreads();

/// Why no rewriting can follow this entry, such as "it calls f at PTX line 7": a call of a function
/// with a body, an indexed branch, or a missing end. Nothing where it can.
[[nodiscard]] std::optional<std::string> whyNotFollowed(const Module& module,
                                                        const Function& entry);

}  // namespace tilestep::ptx
