// SPDX-License-Identifier: Apache-2.0
#include "support/claims.h"

#include <algorithm>
#include <set>

#include "ptx/analysis/uses.h"
#include "ptx/text/printer.h"

namespace tilestep::support {
namespace {

using ptx::Effect;
using ptx::Function;
using ptx::Instruction;
using ptx::Operand;
using Registers = std::set<uint32_t>;

bool goesElsewhere(const Instruction& i) {
  const Effect effect = ptx::effectOf(i);
  return effect == Effect::branch || effect == Effect::leave || effect == Effect::trap;
}

void add(Registers& registers, const Operand& operand) {
  if (operand.reg != ptx::kNone) registers.insert(operand.reg);
  for (const Operand& element : operand.elements) add(registers, element);
}

struct Claimed {
  Registers read, written;
};

Claimed claimedOf(const Instruction& i, const Claims& claims) {
  Claimed claimed;
  if (i.guard.reg != ptx::kNone) claimed.read.insert(i.guard.reg);
  const size_t letters = ptx::useOf(i).operands.size();
  for (size_t k = 0; k < i.operands.size(); ++k) {
    const bool isTurned =
        i.opcode == claims.turned && letters != 0 && std::min(k, letters - 1) == claims.operand;
    const ptx::Role role = ptx::roleOf(i, k);
    const bool writes = (role != ptx::Role::read) != isTurned;
    if (writes) add(claimed.written, i.operands[k]);
    if (!writes || role == ptx::Role::updated) add(claimed.read, i.operands[k]);
  }
  // If the guard is false, the results keep their values.
  if (i.guard.reg != ptx::kNone) {
    claimed.read.insert(claimed.written.begin(), claimed.written.end());
  }
  return claimed;
}

std::string typeOf(const ptx::Register& reg) {
  return reg.type == ptx::Type::pred ? "pred" : "b" + std::to_string(8 * ptx::bytesOf(reg.type));
}

std::string keptName(uint32_t reg) {
  return "%kept" + std::to_string(reg);
}

/// Changes a register's value; two registers change differently.
std::string changed(const Function& function, uint32_t reg) {
  const ptx::Register& r = function.registers[reg];
  if (r.type == ptx::Type::pred) return "not.pred " + r.name + ", " + r.name + "; ";
  const uint64_t bits = (reg + 1) * 0x9e37ULL % 0x7fff + 1;
  return "xor." + typeOf(r) + " " + r.name + ", " + r.name + ", " + std::to_string(bits) + "; ";
}

ptx::Weave weaveOf(const Function& function, const Claims& claims, bool active) {
  ptx::Weave weave;
  for (uint32_t r = 0; r < function.registers.size(); ++r) {
    weave.declarations.push_back(".reg ." + typeOf(function.registers[r]) + " " + keptName(r) +
                                 ";");
  }
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    if (goesElsewhere(function.body[i])) continue;
    std::string before = "pmevent 1; ", after = "pmevent 1; ";
    const Claimed claimed = claimedOf(function.body[i], claims);
    for (uint32_t r = 0; active && r < function.registers.size(); ++r) {
      const std::string type = typeOf(function.registers[r]) + " ";
      const std::string& name = function.registers[r].name;
      before += "mov." + type + keptName(r) + ", " + name + "; ";
      if (!claimed.read.contains(r)) before += changed(function, r);
      if (!claimed.written.contains(r)) after += "mov." + type + name + ", " + keptName(r) + "; ";
    }
    weave.before[i] = {before};
    weave.after[i] = {after};
  }
  return weave;
}

}  // namespace

std::string testedText(const ptx::Module& module, const Claims& claims, bool active) {
  ptx::Edits edits;
  for (const Function& function : module.functions) {
    edits.functions[function.name] = weaveOf(function, claims, active);
  }
  return ptx::print(module, edits);
}

}  // namespace tilestep::support
