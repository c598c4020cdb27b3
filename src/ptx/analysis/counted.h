// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ptx/analysis/uses.h"
#include "ptx/ir.h"

/// The contribution of an instruction to the counts, determined from its text alone.
namespace tilestep::ptx {

/// A load or store of global, shared or generic memory.
struct Access {
  Space space = Space::global;
  bool isStore = false;
  uint32_t width = 4;  ///< Bytes per lane, for a vector in total.
  const Operand* address = nullptr;
};

/// Nullopt for all other instructions, including atomics. An asynchronous copy is two accesses: see
/// ptx/rewrite/instrument_copies.h.
std::optional<Access> accessOf(const Instruction& instruction);

/// True for bar.sync, bar.red and the equivalent forms of barrier, at which a thread waits; false
/// for bar.arrive and for warp barriers.
bool isBarrier(const Instruction& instruction);

/// The f32 operations that are counted.
enum class Arithmetic : uint8_t { ffma, fadd, fmul };
std::optional<Arithmetic> arithmeticOf(const Instruction& instruction);

/// Whether its counts depend on its guard: it is an access, such a barrier or operation, a branch
/// or an exit.
bool isCounted(const Instruction& instruction);

}  // namespace tilestep::ptx
