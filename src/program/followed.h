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

/// The word that led a kernel to a host address: one of its parameters, or a word in device memory.
/// Nothing if no word is near the address.
[[nodiscard]] std::optional<HostPointer> hostPointerTo(uint64_t address,
                                                       std::span<const uint8_t> parameters,
                                                       const Memory& memory);

/// The line of an integer atomic minimum or maximum on words that look like floats, some of them
/// negative. As integers, negative floats are in reverse order. 0 if there is no such line. `uses`
/// are the launch's.
[[nodiscard]] uint32_t floatAtomicLine(const ptx::Function& entry, const Uses& uses,
                                       Memory& memory);

}  // namespace tilestep::program
