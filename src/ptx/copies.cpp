// SPDX-License-Identifier: Apache-2.0
#include "ptx/copies.h"

#include <algorithm>

namespace tilestep::ptx {

bool copiesAsynchronously(const Module& module) {
  // The instructions that end and await groups have no space.
  const auto copies = [](const Instruction& instruction) {
    return instruction.opcode == Opcode::cp && instruction.has("async") &&
           instruction.has("global");
  };
  return std::ranges::any_of(module.functions, [&](const Function& function) {
    return std::ranges::any_of(function.body, copies);
  });
}

}  // namespace tilestep::ptx
