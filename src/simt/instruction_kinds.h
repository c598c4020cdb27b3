// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"

/// What the decoder of functions asks of an instruction.
namespace tilestep::simt {

inline bool isGuarded(const ptx::Instruction& i) {
  return i.guard.reg != ptx::kNone;
}

inline bool isExit(const ptx::Instruction& i) {
  return i.opcode == ptx::Opcode::ret || i.opcode == ptx::Opcode::exit;
}

inline bool isBarrier(const ptx::Instruction& i) {
  return i.opcode == ptx::Opcode::bar || i.opcode == ptx::Opcode::barrier;
}

inline bool isBlockBarrier(const ptx::Instruction& i) {
  return isBarrier(i) && !i.has("warp") && !i.has("cluster");
}

/// Waits until all lanes that it names have come to it.
inline bool isOfNamedLanes(const ptx::Instruction& i) {
  switch (i.opcode) {
    case ptx::Opcode::bar:
    case ptx::Opcode::barrier:
      return i.has("warp");
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
