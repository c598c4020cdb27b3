// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_access.h"

#include <algorithm>

namespace tilestep::ptx {

std::optional<Access> accessOf(const Instruction& instruction) {
  const bool isLoad = instruction.opcode == Opcode::ld || instruction.opcode == Opcode::ldu;
  const bool isStore = instruction.opcode == Opcode::st;
  const Operand* address = addressOf(instruction);
  if ((!isLoad && !isStore) || address == nullptr) return {};
  const Space space = instruction.space == Space::none ? Space::generic : instruction.space;
  if (space != Space::global && space != Space::shared && space != Space::generic) return {};
  Access access;
  access.space = space;
  access.isStore = isStore;
  access.width = bytesOf(instruction.type) * std::max<uint32_t>(instruction.vectorWidth, 1);
  access.address = address;
  return access;
}

bool isBarrier(const Instruction& instruction) {
  return isBlockBarrier(instruction) && (instruction.has("sync") || instruction.has("red"));
}

std::optional<Arithmetic> arithmeticOf(const Instruction& instruction) {
  if (instruction.type != Type::f32) return {};
  switch (instruction.opcode) {
    case Opcode::fma:
    case Opcode::mad:
      return Arithmetic::ffma;
    case Opcode::add:
    case Opcode::sub:
      return Arithmetic::fadd;
    case Opcode::mul:
      return Arithmetic::fmul;
    default:
      return {};
  }
}

}  // namespace tilestep::ptx
