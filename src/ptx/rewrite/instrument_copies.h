// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "ptx/ir.h"

/// Asynchronous copies (cp.async) as the counters see them: a load of global memory and a store to
/// shared memory.
namespace tilestep::ptx {

/// The module with the load and the store that each copy counts as right before it. The load is
/// made by the lanes that copy anything; those that are given no bytes ask for zeros alone.
[[nodiscard]] Module withCopiesAsAccesses(Module module);

/// Whether that put it there: it is none of the program's instructions.
[[nodiscard]] bool isAdded(const Instruction& instruction);

/// The added loads and stores of a function: they are there to be counted and never to be run.
[[nodiscard]] std::set<uint32_t> onlyCounted(const Function& function);

}  // namespace tilestep::ptx
