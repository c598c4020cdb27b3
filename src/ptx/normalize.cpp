// SPDX-License-Identifier: Apache-2.0
#include "ptx/normalize.h"

namespace tilestep::ptx {
namespace {

bool mayBeFused(const Instruction& instruction) {
  const bool isArithmetic = instruction.opcode == Opcode::add ||
                            instruction.opcode == Opcode::sub || instruction.opcode == Opcode::mul;
  const bool isFloating = instruction.type == Type::f32 || instruction.type == Type::f64 ||
                          instruction.type == Type::f16 || instruction.type == Type::f16x2;
  return isArithmetic && isFloating && instruction.rounding == Rounding::none;
}

}  // namespace

Module withExplicitRounding(Module module) {
  for (Function& function : module.functions) {
    for (Instruction& instruction : function.body) {
      if (!mayBeFused(instruction)) continue;
      instruction.suffixes.insert(instruction.suffixes.begin(), "rn");
      instruction.rounding = Rounding::rn;
    }
  }
  return module;
}

}  // namespace tilestep::ptx
