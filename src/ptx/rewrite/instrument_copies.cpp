// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/instrument_copies.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ptx/analysis/branches.h"
#include "ptx/analysis/copies.h"
#include "ptx/analysis/uses.h"

namespace tilestep::ptx {
namespace {

using Kind = Operand::Kind;

Operand registerOf(uint32_t reg) {
  Operand operand;
  operand.kind = Kind::reg;
  operand.reg = reg;
  return operand;
}

Operand zero() {
  Operand operand;
  operand.kind = Kind::immediate;
  operand.immediateType = Type::u64;
  return operand;
}

bool isWide(Type type) {
  return bytesOf(type) == 8;
}

/// Rewrites one function.
class CopyExpander {
 public:
  explicit CopyExpander(Function& function) : function_(function) {}

  void expand() {
    if (std::none_of(function_.body.begin(), function_.body.end(), isCopy)) return;
    dummy_ = addRegister("%tstep_copied", Type::b32);
    const std::vector<Instruction> body = std::exchange(function_.body, {});
    body_ = &body;
    std::vector<uint32_t> places;  // The new index of each original instruction.
    for (const Instruction& instruction : body) {
      places.push_back(static_cast<uint32_t>(function_.body.size()));
      if (isCopy(instruction)) addAccesses(instruction);
      function_.body.push_back(instruction);
      // A pragma must immediately follow its label.
      std::swap(function_.body[places.back()].pragmas, function_.body.back().pragmas);
    }
    places.push_back(static_cast<uint32_t>(function_.body.size()));
    moveTargets(function_, places);
  }

 private:
  uint32_t addRegister(const std::string& name, Type type) {
    function_.registers.push_back({name, type});
    return static_cast<uint32_t>(function_.registers.size() - 1);
  }

  void addAccesses(const Instruction& copy) {
    const auto bytes = static_cast<uint32_t>(copy.operands[2].bits);
    if (const auto guard = guardOfLoad(copy)) {
      Instruction load = access(Opcode::ld, Space::global, bytes, *guard);
      load.operands = {registerOf(dummy_), copy.operands[1]};
      function_.body.push_back(std::move(load));
    }
    Instruction store = access(Opcode::st, Space::shared, bytes, copy.guard);
    store.operands = {copy.operands[0], registerOf(dummy_)};
    function_.body.push_back(std::move(store));
  }

  static Instruction access(Opcode opcode, Space space, uint32_t bytes, const Guard& guard) {
    Instruction instruction;
    instruction.opcode = opcode;
    instruction.space = space;
    instruction.type = Type::b32;
    instruction.vectorWidth = static_cast<uint8_t>(bytes / 4);
    instruction.guard = guard;
    return instruction;
  }

  // The guard of the load; nullopt if no lane loads. The copy's fourth operand is the number of
  // bytes to load, a predicate that is true in lanes that do not load, or a 64-bit cache policy.
  std::optional<Guard> guardOfLoad(const Instruction& copy) {
    if (copy.operands.size() < 4) return copy.guard;
    const Operand& given = copy.operands[3];
    if (given.kind == Kind::immediate) return orNone(given.bits, copy.guard);
    if (given.kind != Kind::reg || isWide(function_.registers[given.reg].type)) return copy.guard;
    if (function_.registers[given.reg].type == Type::pred) return leftOut(given.reg, copy.guard);
    if (const auto constant = constantOf(given.reg)) return orNone(*constant, copy.guard);
    Instruction test = compare(given);
    return defined(test, copy.guard);
  }

  static std::optional<Guard> orNone(uint64_t given, const Guard& guard) {
    return given == 0 ? std::nullopt : std::optional(guard);
  }

  Guard leftOut(uint32_t predicate, const Guard& guard) {
    if (guard.reg == kNone) return {predicate, true};
    Instruction inverted;
    inverted.opcode = Opcode::not_;
    inverted.suffixes = {"pred"};
    inverted.type = Type::pred;
    inverted.operands = {{}, registerOf(predicate)};
    return defined(inverted, guard);
  }

  static Instruction compare(const Operand& given) {
    Instruction test;
    test.opcode = Opcode::setp;
    test.suffixes = {"ne", "u32"};
    test.type = Type::u32;
    test.compare = Compare::ne;
    test.operands = {{}, given, zero()};
    return test;
  }

  // Evaluates `test` into a new predicate, which is false in lanes where `guard` is false.
  Guard defined(Instruction test, const Guard& guard) {
    const uint32_t reg = addRegister("%tstep_copies" + std::to_string(copies_++), Type::pred);
    if (guard.reg != kNone) {
      Instruction none = compare(zero());
      none.operands[0] = registerOf(reg);
      function_.body.push_back(std::move(none));
    }
    test.operands[0] = registerOf(reg);
    test.guard = guard;
    function_.body.push_back(std::move(test));
    return {reg, false};
  }

  // The value of a register that only a mov of a constant writes.
  [[nodiscard]] std::optional<uint64_t> constantOf(uint32_t reg) const {
    std::optional<uint64_t> value;
    for (const Instruction& instruction : *body_) {
      const std::vector<uint32_t> written = writtenRegisters(instruction);
      if (std::find(written.begin(), written.end(), reg) == written.end()) continue;
      const bool isNumber = instruction.opcode == Opcode::mov && instruction.guard.reg == kNone &&
                            instruction.operands.size() == 2 &&
                            instruction.operands[1].kind == Kind::immediate;
      if (!isNumber || value) return std::nullopt;
      value = instruction.operands[1].bits & 0xffffffffu;
    }
    return value;
  }

  Function& function_;
  const std::vector<Instruction>* body_ = nullptr;  ///< The original body.
  uint32_t dummy_ = kNone, copies_ = 0;
};

}  // namespace

Module withCopiesAsAccesses(Module module) {
  for (Function& function : module.functions) CopyExpander(function).expand();
  return module;
}

bool isAdded(const Instruction& instruction) {
  return instruction.ptxLine == 0;  // Parsed instructions have a line, counted from 1.
}

std::set<uint32_t> onlyCounted(const Function& function) {
  std::set<uint32_t> indices;
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    const Opcode opcode = function.body[i].opcode;
    if (isAdded(function.body[i]) && (opcode == Opcode::ld || opcode == Opcode::st))
      indices.insert(i);
  }
  return indices;
}

}  // namespace tilestep::ptx
