// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ptx/ir.h"

/// What the counting and the tracing program share.
namespace tilestep::ptx {

/// Nobody steps through a rewritten program, and the driver compiles it a third faster so.
[[nodiscard]] Module withoutLines(Module module);

/// The `.maxntid` that an entry needs for blocks of `threads`; nothing where it has a limit.
[[nodiscard]] std::optional<std::string> threadLimit(const Function& entry, uint64_t threads);

/// Why no rewriting can follow this entry, as "it calls f at PTX line 7": a call of a function
/// with a body, an indexed branch, an end that nothing closes. Nothing where one can.
[[nodiscard]] std::optional<std::string> whyNotFollowed(const Module& module,
                                                        const Function& entry);

}  // namespace tilestep::ptx
