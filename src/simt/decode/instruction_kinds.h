// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/analysis/branches.h"
#include "ptx/analysis/uses.h"

/// What the decoder of functions asks of an instruction.
namespace tilestep::simt {

using ptx::isGuarded;

inline bool isBarrier(const ptx::Instruction& i) {
  return ptx::effectOf(i) == ptx::Effect::barrier;
}

/// Whether it waits until all lanes that it names have arrived.
inline bool isOfNamedLanes(const ptx::Instruction& i) {
  if (isBarrier(i)) return i.has("warp");
  switch (i.opcode) {
    case ptx::Opcode::shfl:
    case ptx::Opcode::vote:
    case ptx::Opcode::match:
    case ptx::Opcode::redux:
    case ptx::Opcode::elect:
    case ptx::Opcode::mma:
      return i.has("sync");
    default:
      return false;
  }
}

}  // namespace tilestep::simt
