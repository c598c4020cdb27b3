// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/suffixes.h"

#include "ptx/names.h"

namespace tilestep::ptx {
namespace {

// Some suffixes have different meanings after different roots (.lo after mul and setp, .and after
// setp and atom), so each is decoded only after roots to which it applies.
bool isComparison(Opcode opcode) {
  return opcode == Opcode::setp || opcode == Opcode::set;
}

bool hasPart(Opcode opcode) {
  switch (opcode) {
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::madc:
    case Opcode::mul24:
    case Opcode::mad24:
      return true;
    default:
      return false;
  }
}

BoolOp boolOpOf(std::string_view word) {
  if (word == "and") return BoolOp::bitAnd;
  if (word == "or") return BoolOp::bitOr;
  return word == "xor" ? BoolOp::bitXor : BoolOp::none;
}

Part partOf(std::string_view word) {
  if (word == "lo") return Part::lo;
  if (word == "hi") return Part::hi;
  return word == "wide" ? Part::wide : Part::none;
}

uint8_t widthOf(std::string_view word) {
  if (word == "v2") return 2;
  if (word == "v4") return 4;
  return word == "v8" ? 8 : 1;
}

void decodeComparison(Instruction& instruction, std::string_view word) {
  if (const auto compare = compareOf(word)) {
    instruction.compare = *compare;
  } else if (const BoolOp op = boolOpOf(word); op != BoolOp::none) {
    instruction.boolOp = op;
  }
}

void decodeFlag(Instruction& instruction, std::string_view word) {
  if (word == "ftz") instruction.ftz = true;
  if (word == "sat") instruction.sat = true;
  if (word == "approx") instruction.approx = true;
  if (word == "volatile") instruction.isVolatile = true;
}

void decodeWord(Instruction& instruction, std::string_view word) {
  if (const auto type = typeOf(word)) {
    Type& slot = instruction.type == Type::none ? instruction.type : instruction.type2;
    if (slot == Type::none) slot = *type;
  } else if (const auto space = spaceOf(word)) {
    if (instruction.space == Space::none) instruction.space = *space;
  } else if (const uint8_t width = widthOf(word); width > 1) {
    instruction.vectorWidth = width;
  } else if (const auto rounding = roundingOf(word)) {
    instruction.rounding = *rounding;
  } else if (isComparison(instruction.opcode)) {
    decodeComparison(instruction, word);
  } else if (hasPart(instruction.opcode) && partOf(word) != Part::none) {
    instruction.part = partOf(word);
  }
  decodeFlag(instruction, word);
}

}  // namespace

void decodeSuffixes(Instruction& instruction) {
  for (const std::string& word : instruction.suffixes) decodeWord(instruction, word);
  const bool usesMemory = ruleOf(formOf(instruction.opcode)).usesMemory;
  if (usesMemory && instruction.space == Space::none) instruction.space = Space::generic;
}

}  // namespace tilestep::ptx
