// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "ptx/ir.h"

/// Treats asynchronous copies (cp.async) as the counters do: as a load from global memory and a
/// store to shared memory.
namespace tilestep::ptx {

/// The module with the equivalent load and store inserted immediately before each copy. Only the
/// lanes that copy at least one byte load; lanes with zero bytes only fill with zeros.
[[nodiscard]] Module withCopiesAsAccesses(Module module);

/// Whether withCopiesAsAccesses inserted the instruction, which is then not part of the program.
[[nodiscard]] bool isAdded(const Instruction& instruction);

/// The inserted loads and stores of a function, which are counted but never executed.
[[nodiscard]] std::set<uint32_t> onlyCounted(const Function& function);

}  // namespace tilestep::ptx
