// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "program/memory.h"
#include "program/record.h"
#include "ptx/ir.h"

/// Words in a launch's parameters and memory that explain its faults.
namespace tilestep::program {

/// The word that led a kernel to that host address: one of its parameters, or one in device
/// memory; nothing if none is near.
[[nodiscard]] std::optional<HostPointer> hostPointerTo(uint64_t address,
                                                       std::span<const uint8_t> parameters,
                                                       const Memory& memory);

/// The line of an integer atomic minimum or maximum that worked on words that look like floats,
/// including a negative one: their bits are ordered differently. 0: there is none. `uses`: the
/// launch's.
[[nodiscard]] uint32_t floatAtomicLine(const ptx::Function& entry, const Uses& uses,
                                       Memory& memory);

}  // namespace tilestep::program
