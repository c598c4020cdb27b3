// SPDX-License-Identifier: Apache-2.0
// Each row of opcodes.def that is more than arithmetic, broken once: some golden case must notice.
// (broken_operations_test.cpp breaks the arithmetic, operation by operation.) An instruction is
// broken by turning its result over, or by doing nothing instead where it has no result.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "golden/programs.h"
#include "golden/run_command.h"
#include "ptx/analysis/uses.h"
#include "ptx/text/parser.h"
#include "ptx/text/printer.h"
#include "simt/decode/emitter.h"

namespace tilestep::golden {
namespace broken_rows_test {

using ptx::Opcode;
using Kind = ptx::Operand::Kind;

/// Hints for other hardware: the interpreter accepts them and does nothing.
const std::set<Opcode> kWithoutEffect = {
    Opcode::nanosleep,    Opcode::prefetch,      Opcode::prefetchu, Opcode::pmevent,
    Opcode::createpolicy, Opcode::applypriority, Opcode::discard,   Opcode::griddepcontrol,
};

bool isControl(Opcode opcode) {
  switch (opcode) {
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::exit:
    case Opcode::trap:
    case Opcode::bar:
    case Opcode::barrier:
      return true;
    default:
      return false;
  }
}

bool mustBeSeen(Opcode opcode) {
  if (kWithoutEffect.contains(opcode)) return false;
  return isControl(opcode) || simt::decodeMemory(opcode) || simt::decodeMove(opcode) ||
         simt::decodeAtomic(opcode) || simt::decodeCopy(opcode) || simt::decodeWarp(opcode) ||
         simt::decodeMatrix(opcode);
}

/// Nothing is done in its place: it has no result, or leaving it out breaks more.
bool isLeftOut(const ptx::Instruction& in) {
  return isControl(in.opcode) || ptx::writtenRegisters(in).empty();
}

void registersIn(const ptx::Operand& operand, std::vector<uint32_t>& found) {
  if (operand.kind == Kind::reg) found.push_back(operand.reg);
  for (const ptx::Operand& element : operand.elements) registersIn(element, found);
}

std::string turnedOver(const ptx::Function& function, const ptx::Instruction& in) {
  std::vector<uint32_t> registers;
  if (!in.operands.empty()) registersIn(in.operands.front(), registers);
  std::string text;
  for (const uint32_t r : registers) {
    const ptx::Register& to = function.registers[r];
    const std::string type =
        to.type == ptx::Type::pred ? "pred" : "b" + std::to_string(8 * ptx::bytesOf(to.type));
    text += "not." + type + " " + to.name + ", " + to.name + "; ";
  }
  return text;
}

ptx::Instruction nothing() {
  return ptx::parse(".version 7.0\n.target sm_75\n.address_size 64\n.entry f() { pmevent 1; }", "")
      .value()
      .functions.front()
      .body.front();
}

/// The program as text, with every instruction of that root broken, or with none; the lines of both
/// are the same.
std::string textOf(const Program& program, Opcode root, bool broken) {
  ptx::Module module = program.module;
  ptx::Edits edits;
  for (ptx::Function& function : module.functions) {
    for (uint32_t i = 0; i < function.body.size(); ++i) {
      ptx::Instruction& in = function.body[i];
      if (in.opcode != root) continue;
      if (!isLeftOut(in)) {
        edits.functions[function.name].after[i] = {broken ? turnedOver(function, in)
                                                          : std::string("pmevent 1;")};
      } else if (broken) {
        in = nothing();
      }
    }
  }
  return program.header + ptx::print(module, edits);
}

bool isSeenBy(const Program& program, Opcode root) {
  return uses(program, root) && runCase(textOf(program, root, false), program.name) !=
                                    runCase(textOf(program, root, true), program.name);
}

TEST(GoldenMutations, EveryRowBrokenOnceIsSeen) {
  const std::vector<Program> all = programsIn({"run", "run_bad"});
  ASSERT_GT(all.size(), 30U);
  size_t rows = 0;
  for (auto id = 1; id <= static_cast<int>(Opcode::vsub4); ++id) {
    const auto root = static_cast<Opcode>(id);
    if (!mustBeSeen(root)) continue;
    ++rows;
    const bool seen = std::any_of(all.begin(), all.end(),
                                  [&](const Program& program) { return isSeenBy(program, root); });
    EXPECT_TRUE(seen) << ptx::toText(root) << ": no golden case fails when it is broken";
  }
  std::printf("%zu rows, each broken once\n", rows);
}

}  // namespace broken_rows_test
}  // namespace tilestep::golden
