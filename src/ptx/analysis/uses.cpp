// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/uses.h"

#include <algorithm>

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

/// The operand's letter in opcodes.def; the last letter also applies to all further operands.
char letterOf(const Instruction& instruction, size_t operand) {
  const std::string_view letters = useOf(instruction).operands;
  return letters.empty() ? 'r' : letters[std::min(operand, letters.size() - 1)];
}

void appendRegisters(const Operand& operand, std::vector<uint32_t>& registers) {
  if (operand.reg != kNone) registers.push_back(operand.reg);
  for (const Operand& element : operand.elements) appendRegisters(element, registers);
}

bool hasTerm(const Instruction& instruction, char letter) {
  return formulaOf(instruction.opcode).terms.find(letter) != std::string_view::npos;
}

bool hasFact(const Instruction& instruction, char letter) {
  return formulaOf(instruction.opcode).facts.find(letter) != std::string_view::npos;
}

}  // namespace

Use useOf(const Instruction& instruction) {
  for (const UseWith& with : usesWithSuffix()) {
    if (with.opcode == instruction.opcode && instruction.has(with.suffix)) return with.use;
  }
  return useOf(instruction.opcode);
}

Effect effectOf(const Instruction& instruction) {
  return useOf(instruction).effect;
}

Role roleOf(const Instruction& instruction, size_t operand) {
  const Kind kind = instruction.operands[operand].kind;
  switch (letterOf(instruction, operand)) {
    case 'w':
      return kind == Kind::address ? Role::read : Role::written;
    case 'u':
      return kind == Kind::address ? Role::read : Role::updated;
    case 'c':
      return kind == Kind::list ? Role::written : Role::read;
    default:
      return Role::read;
  }
}

std::vector<uint32_t> writtenRegisters(const Instruction& instruction) {
  std::vector<uint32_t> registers;
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    if (roleOf(instruction, i) != Role::read) appendRegisters(instruction.operands[i], registers);
  }
  return registers;
}

std::vector<uint32_t> readRegisters(const Instruction& instruction) {
  std::vector<uint32_t> registers;
  if (instruction.guard.reg != kNone) registers.push_back(instruction.guard.reg);
  for (const Operand* operand : sourcesOf(instruction)) appendRegisters(*operand, registers);
  return registers;
}

std::vector<const Operand*> sourcesOf(const Instruction& instruction) {
  std::vector<const Operand*> sources;
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    if (roleOf(instruction, i) != Role::written) sources.push_back(&instruction.operands[i]);
  }
  return sources;
}

const Operand* addressOf(const Instruction& instruction) {
  const auto found =
      std::find_if(instruction.operands.begin(), instruction.operands.end(),
                   [](const Operand& operand) { return operand.kind == Kind::address; });
  return found == instruction.operands.end() ? nullptr : &*found;
}

bool accessesMemory(const Instruction& instruction) {
  switch (effectOf(instruction)) {
    case Effect::load:
    case Effect::store:
    case Effect::atomic:
    case Effect::copy:
      return true;
    default:
      return false;
  }
}

bool readsMemory(const Instruction& instruction) {
  const Effect effect = effectOf(instruction);
  const bool reads = effect == Effect::load || effect == Effect::atomic;
  return reads && !instruction.operands.empty() && roleOf(instruction, 0) != Role::read;
}

bool isBlockBarrier(const Instruction& instruction) {
  return effectOf(instruction) == Effect::barrier && !instruction.has("warp") &&
         !instruction.has("cluster");
}

bool joinsLanes(const Instruction& instruction) {
  const Effect effect = effectOf(instruction);
  return effect == Effect::barrier ? instruction.has("warp")
                                   : effect == Effect::lanes && instruction.has("sync");
}

bool isExit(const Instruction& instruction) {
  return effectOf(instruction) == Effect::leave;
}

char termOf(const Instruction& instruction, size_t operand) {
  const std::string_view terms = formulaOf(instruction.opcode).terms;
  return operand > 0 && operand <= terms.size() ? terms[operand - 1] : '.';
}

bool copiesSource(const Instruction& instruction) {
  return hasTerm(instruction, '=');
}

bool isSum(const Instruction& instruction) {
  return hasTerm(instruction, '+') && !hasTerm(instruction, '.');
}

bool isProduct(const Instruction& instruction) {
  return formulaOf(instruction.opcode).terms == "**";
}

bool isPure(const Instruction& instruction) {
  return hasFact(instruction, 'f') && !instruction.has("cc");
}

bool needsValues(const Instruction& instruction) {
  return hasFact(instruction, 'n');
}

bool standsForSum(const Instruction& instruction) {
  const bool isOfFloats = isFloat(instruction.type) || isFloat(instruction.type2);
  return hasFact(instruction, 's') && (isOfFloats || copiesSource(instruction));
}

}  // namespace tilestep::ptx
