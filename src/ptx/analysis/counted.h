// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ptx/analysis/uses.h"
#include "ptx/ir.h"

/// What an instruction contributes to the counters, as far as it is the same in each execution.
namespace tilestep::ptx {

/// A load or store of global, shared or generic memory.
struct Access {
  Space space = Space::global;
  bool isStore = false;
  uint32_t width = 4;  ///< Bytes per lane; for a vector, of all its elements.
  const Operand* address = nullptr;
};

/// Nullopt for all other instructions, including atomics. Asynchronous copies, which make two
/// accesses, are handled in ptx/rewrite/instrument_copies.h.
std::optional<Access> accessOf(const Instruction& instruction);

/// Whether threads wait there for their block: bar.sync, bar.red and the equivalent forms of
/// `barrier`. False for bar.arrive and warp barriers.
bool isBarrier(const Instruction& instruction);

/// The f32 operations that are counted.
enum class Arithmetic : uint8_t { ffma, fadd, fmul };
std::optional<Arithmetic> arithmeticOf(const Instruction& instruction);

/// Whether the instruction contributes to a counter that depends on its guard: a branch, an exit,
/// or an instruction for which a function above returns a result.
bool isCounted(const Instruction& instruction);

}  // namespace tilestep::ptx
