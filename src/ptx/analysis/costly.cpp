// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/costly.h"

#include <algorithm>

namespace tilestep::ptx {
namespace {

bool isCostly(const Instruction& each) {
  switch (each.opcode) {
    case Opcode::rcp:
    case Opcode::sqrt:
    case Opcode::rsqrt:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::tanh:
    case Opcode::call:
      return true;
    case Opcode::div:
      return isFloat(each.type);
    case Opcode::ld:
    case Opcode::st:
      return each.space == Space::local;
    case Opcode::mov:
      return false;
    default:
      return each.type == Type::f64;
  }
}

}  // namespace

bool hasCostlyWork(const Function& function) {
  return std::ranges::any_of(function.body, isCostly);
}

}  // namespace tilestep::ptx
