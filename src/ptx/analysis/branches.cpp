// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/branches.h"

namespace tilestep::ptx {

bool isGuarded(const Instruction& instruction) {
  return instruction.guard.reg != kNone;
}

bool isBranch(const Instruction& instruction) {
  return instruction.opcode == Opcode::bra;
}

const Table& branchTable(const Function& function, const Instruction& brx) {
  return function.tables[brx.operands[1].target];
}

void moveTargets(Function& function, const std::vector<uint32_t>& places) {
  for (Label& label : function.labels) label.at = places[label.at];
  for (Table& table : function.tables) {
    for (uint32_t& target : table.targets) target = places[target];
  }
  for (Instruction& instruction : function.body) {
    for (Operand& operand : instruction.operands) {
      if (operand.kind == Operand::Kind::label) operand.target = places[operand.target];
    }
  }
}

}  // namespace tilestep::ptx
