// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ptx/analysis/uses.h"
#include "ptx/rewrite/instrument.h"

/// What an instruction adds to the counts, determined from its text alone.
namespace tilestep::ptx {

/// A load or store of global, shared or generic memory.
struct Access {
  Space space = Space::global;
  bool isStore = false;
  uint32_t width = 4;  ///< Bytes per lane, for a vector in total.
  const Operand* address = nullptr;
};

/// Nothing for instructions that are not such an access (including atomics). Asynchronous copies
/// are two accesses: see instrument_copies.h.
std::optional<Access> accessOf(const Instruction& instruction);

/// True for bar.sync, bar.red and the equivalent forms of barrier, at which a thread waits; false
/// for bar.arrive and for warp barriers.
bool isBarrier(const Instruction& instruction);
/// The f32 operation that the instruction counts as: ffma, fadd or fmul.
std::optional<Count> arithmeticOf(const Instruction& instruction);

/// The unit of bank conflicts in shared memory: 4 bytes, or the width of a wider access.
uint32_t sharedUnit(uint32_t width);

/// The columns of one kind of access. `space` is global or shared.
struct AccessColumns {
  CountColumn threads;   ///< Global: one per lane.
  CountColumn requests;  ///< One per warp.
  CountColumn first;     ///< Global: sectors. Shared: wavefronts.
  CountColumn second;    ///< Global: distinct addresses. Shared, wide units: fewest wavefronts.
};
AccessColumns columnsOf(Space space, bool isStore, uint32_t width);

}  // namespace tilestep::ptx
