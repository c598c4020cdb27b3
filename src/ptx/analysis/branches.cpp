// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/branches.h"

namespace tilestep::ptx {
namespace {

void moveTarget(Operand& operand, const std::vector<uint32_t>& places) {
  if (operand.target != kNone) operand.target = places[operand.target];
  for (Operand& element : operand.elements) moveTarget(element, places);
}

}  // namespace

bool isGuarded(const Instruction& instruction) {
  return instruction.guard.reg != kNone;
}

bool isBranch(const Instruction& instruction) {
  return instruction.opcode == Opcode::bra;
}

void moveTargets(Function& function, const std::vector<uint32_t>& places) {
  for (Label& label : function.labels) label.at = places[label.at];
  for (Instruction& instruction : function.body) {
    for (Operand& operand : instruction.operands) moveTarget(operand, places);
  }
}

}  // namespace tilestep::ptx
