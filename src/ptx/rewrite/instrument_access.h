// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ptx/analysis/uses.h"
#include "ptx/rewrite/instrument.h"

/// What an instruction adds to the counts, from its text alone.
namespace tilestep::ptx {

/// A load or store of global, shared or generic memory.
struct Access {
  Space space = Space::global;
  bool isStore = false;
  uint32_t width = 4;  ///< Bytes a lane, a vector whole.
  const Operand* address = nullptr;
};

/// Nothing for instructions that are no such access (atomics among them). Asynchronous copies are
/// two: see instrument_copies.h.
std::optional<Access> accessOf(const Instruction& instruction);

/// bar.sync, bar.red and those of barrier, at which a thread waits; neither bar.arrive nor the
/// barrier of a warp.
bool isBarrier(const Instruction& instruction);
/// The f32 operation that it counts as: ffma, fadd or fmul.
std::optional<Count> arithmeticOf(const Instruction& instruction);

/// Shared memory's unit of conflict: 4 bytes, or the width of a wider access.
uint32_t sharedUnit(uint32_t width);

/// The columns of one kind of access. `space` is global or shared.
struct AccessColumns {
  CountColumn threads;   ///< Global: one a lane.
  CountColumn requests;  ///< One a warp.
  CountColumn first;     ///< Global: sectors. Shared: wavefronts.
  CountColumn second;    ///< Global: distinct addresses. Shared, wide units: fewest wavefronts.
};
AccessColumns columnsOf(Space space, bool isStore, uint32_t width);

}  // namespace tilestep::ptx
