// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/counted.h"

#include <algorithm>

#include "ptx/analysis/branches.h"

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
  if (isProduct(instruction)) return Arithmetic::fmul;
  if (!isSum(instruction)) return {};
  return termOf(instruction, 1) == '*' ? Arithmetic::ffma : Arithmetic::fadd;
}

bool isCounted(const Instruction& instruction) {
  return isBranch(instruction) || isExit(instruction) || isBarrier(instruction) ||
         accessOf(instruction) || arithmeticOf(instruction);
}

}  // namespace tilestep::ptx
