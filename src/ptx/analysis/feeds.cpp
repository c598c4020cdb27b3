// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/feeds.h"

#include <algorithm>
#include <set>

#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

using Indices = std::vector<uint32_t>;

void appendRegisters(const Operand& operand, Indices& registers) {
  if (operand.kind == Operand::Kind::reg) registers.push_back(operand.reg);
  for (const Operand& element : operand.elements) appendRegisters(element, registers);
}

/// Without those of addresses.
Indices sourceRegisters(const Instruction& instruction) {
  Indices registers;
  for (const Operand* source : sourcesOf(instruction)) appendRegisters(*source, registers);
  return registers;
}

bool copies(Opcode opcode) {
  return opcode == Opcode::mov || opcode == Opcode::selp;
}

bool sums(const Instruction& instruction) {
  if (instruction.type == Type::pred) return false;
  return instruction.opcode == Opcode::fma || instruction.opcode == Opcode::mad ||
         instruction.opcode == Opcode::add || instruction.opcode == Opcode::sub;
}

/// By register: the instructions that write it.
std::vector<Indices> writersOf(const Function& function) {
  std::vector<Indices> writers(function.registers.size());
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    for (const uint32_t reg : writtenRegisters(function.body[i])) writers[reg].push_back(i);
  }
  return writers;
}

/// The loads whose values reach `registers`.
std::set<uint32_t> loadsReaching(const Function& function, const std::vector<Indices>& writers,
                                 Indices registers, bool throughProducts) {
  std::set<uint32_t> loads;
  std::set<uint32_t> seen(registers.begin(), registers.end());
  while (!registers.empty()) {
    const uint32_t reg = registers.back();
    registers.pop_back();
    if (reg >= writers.size()) continue;
    for (const uint32_t writer : writers[reg]) {
      const Instruction& instruction = function.body[writer];
      if (instruction.opcode == Opcode::ld && instruction.space != Space::param) {
        loads.insert(writer);
      }
      const bool product = throughProducts && instruction.opcode == Opcode::mul;
      if (!copies(instruction.opcode) && !product) continue;
      for (const uint32_t source : sourceRegisters(instruction)) {
        if (seen.insert(source).second) registers.push_back(source);
      }
    }
  }
  return loads;
}

}  // namespace

std::vector<std::pair<uint32_t, uint32_t>> feeds(const Function& function) {
  const std::vector<Indices> writers = writersOf(function);
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    const Instruction& instruction = function.body[i];
    const bool stores = instruction.opcode == Opcode::st;
    if (!stores && !sums(instruction)) continue;
    for (const uint32_t load :
         loadsReaching(function, writers, sourceRegisters(instruction), !stores)) {
      pairs.emplace_back(i, load);
    }
  }
  return pairs;
}

}  // namespace tilestep::ptx
