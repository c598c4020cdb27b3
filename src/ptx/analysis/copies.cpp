// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/copies.h"

#include <algorithm>

namespace tilestep::ptx {
namespace {

template <class Is>
bool anyIn(const Module& module, Is is) {
  return std::ranges::any_of(module.functions, [&](const Function& function) {
    return std::ranges::any_of(function.body, is);
  });
}

// Excludes cp.async.commit_group and wait_group, which have no state space.
bool beginsCopies(const Instruction& instruction) {
  return instruction.opcode == Opcode::cp && instruction.has("async") && instruction.has("global");
}

}  // namespace

bool isCopy(const Instruction& instruction) {
  using Kind = Operand::Kind;
  if (!beginsCopies(instruction) || instruction.has("bulk") || instruction.operands.size() < 3)
    return false;
  const Operand& size = instruction.operands[2];
  return instruction.operands[0].kind == Kind::address &&
         instruction.operands[1].kind == Kind::address && size.kind == Kind::immediate &&
         (size.bits == 4 || size.bits == 8 || size.bits == 16);
}

bool copiesAsynchronously(const Module& module) {
  return anyIn(module, isCopy);
}

bool hasUncountedCopies(const Module& module) {
  return anyIn(module, [](const Instruction& i) { return beginsCopies(i) && !isCopy(i); });
}

}  // namespace tilestep::ptx
