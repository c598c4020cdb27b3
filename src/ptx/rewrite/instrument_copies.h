// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "ptx/ir.h"

/// Represents asynchronous copies (cp.async) as the counters count them: as a load from global
/// memory and a store to shared memory.
namespace tilestep::ptx {

/// Inserts the equivalent load and store immediately before each copy. The load is executed only by
/// lanes that load at least one byte; other lanes only store zeros.
[[nodiscard]] Module withCopiesAsAccesses(Module module);

/// Whether withCopiesAsAccesses() inserted the instruction, so that it is not part of the program.
[[nodiscard]] bool isAdded(const Instruction& instruction);

/// The indices of the inserted loads and stores, which are counted but never executed.
[[nodiscard]] std::set<uint32_t> onlyCounted(const Function& function);

}  // namespace tilestep::ptx
