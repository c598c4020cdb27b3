// SPDX-License-Identifier: Apache-2.0
#include "simt/check/provenance.h"

#include <algorithm>

#include "ptx/analysis/register_graph.h"
#include "ptx/analysis/uses.h"

namespace tilestep::simt {
namespace {

using Kind = ptx::Operand::Kind;
using ptx::Opcode;

constexpr unsigned kUnknownBase = 63;

}  // namespace

Provenance::Provenance(const ptx::Function& function) : registers_(function.registers.size(), 0) {
  for (const ptx::Instruction& instruction : function.body) {
    for (const ptx::Operand& operand : instruction.operands) collectNames(operand);
  }
  std::sort(names_.begin(), names_.end());
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  const ptx::RegisterGraph graph(function);
  graph.solve([&](uint32_t i) {
    const Set from = ofResult(function.body[i]);
    bool changed = false;
    for (const uint32_t reg : graph.written[i]) {
      changed = changed || (from & ~registers_[reg]) != 0;
      registers_[reg] |= from;
    }
    return changed;
  });
}

void Provenance::collectNames(const ptx::Operand& operand) {
  const bool names = operand.kind == Kind::symbol || operand.kind == Kind::address;
  if (names && !operand.name.empty()) names_.push_back(operand.name);
  for (const ptx::Operand& element : operand.elements) collectNames(element);
}

Provenance::Set Provenance::bitOf(const std::string& name) const {
  const auto at = std::lower_bound(names_.begin(), names_.end(), name);
  const auto index = static_cast<size_t>(at - names_.begin());
  return Set{1} << std::min<size_t>(index, kUnknownBase);
}

Provenance::Set Provenance::ofOperand(const ptx::Operand& operand) const {
  Set set = operand.reg != ptx::kNone ? registers_[operand.reg] : 0;
  const bool names = operand.kind == Kind::symbol || operand.kind == Kind::address;
  if (names && !operand.name.empty()) set |= bitOf(operand.name);
  for (const ptx::Operand& element : operand.elements) set |= ofOperand(element);
  return set;
}

Provenance::Set Provenance::ofResult(const ptx::Instruction& instruction) const {
  if (instruction.opcode == Opcode::call) return Set{1} << kUnknownBase;
  const bool fromMemory = ptx::readsMemory(instruction) && instruction.space != ptx::Space::param;
  if (fromMemory) {
    const bool pointer = ptx::bytesOf(instruction.type) == 8 && !ptx::isFloat(instruction.type);
    return pointer ? Set{1} << kUnknownBase : 0;
  }
  if (instruction.opcode == Opcode::setp) return 0;
  Set set = 0;
  for (const ptx::Operand* source : ptx::sourcesOf(instruction)) set |= ofOperand(*source);
  return set;
}

Bases Provenance::of(const ptx::Instruction& access) const {
  Bases bases;
  const ptx::Operand* address = ptx::addressOf(access);
  const Set set = address != nullptr ? ofOperand(*address) : Set{1} << kUnknownBase;
  bases.unknown = (set >> kUnknownBase) != 0;
  for (size_t i = 0; i < std::min<size_t>(names_.size(), kUnknownBase); ++i) {
    if ((set >> i & 1) != 0) bases.names.push_back(names_[i]);
  }
  return bases;
}

}  // namespace tilestep::simt
