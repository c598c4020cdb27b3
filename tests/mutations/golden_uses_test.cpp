// SPDX-License-Identifier: Apache-2.0
// Compares the operands in opcodes.def with those that the interpreter reads and writes, for each
// row that the interpreter knows except arithmetic, which tests/cosim tests.
#include <gtest/gtest.h>

#include <algorithm>

#include "golden/programs.h"
#include "golden/run_command.h"
#include "ptx/analysis/uses.h"
#include "simt/decode/emitter.h"
#include "support/claims.h"

namespace tilestep::golden::golden_uses_test {

using ptx::Opcode;
using support::Claims;

bool isMine(Opcode opcode) {
  switch (opcode) {
    case Opcode::createpolicy:  // No program can see the policy that it makes.
    case Opcode::fence:         // Its only form with an operand, for tensor maps, is not supported.
      return false;
    case Opcode::bar:
    case Opcode::barrier:
      return true;
    default:
      return simt::decodeMemory(opcode) || simt::decodeMove(opcode) || simt::decodeAtomic(opcode) ||
             simt::decodeCopy(opcode) || simt::decodeWarp(opcode) || simt::decodeMatrix(opcode);
  }
}

/// The programs without a trace and without checkers, which read each instruction.
std::vector<Program> programs() {
  std::vector<Program> all = runPrograms();
  for (Program& program : all) {
    for (const char* line : {"//! trace:", "//! check:"}) {
      const size_t at = program.header.find(line);
      if (at != std::string::npos) {
        program.header.erase(at, program.header.find('\n', at) + 1 - at);
      }
    }
  }
  return all;
}

std::string outcome(const Program& program, const Claims& claims, bool active) {
  return runCase(program.header + support::testedText(program.module, claims, active),
                 program.name);
}

TEST(GoldenUses, RegistersAreReadAndWrittenAsTheTableSays) {
  const std::vector<Program> all = programs();
  ASSERT_GT(all.size(), 8U);
  for (const Program& program : all) {
    EXPECT_EQ(outcome(program, {}, true), outcome(program, {}, false)) << program.name;
  }
}

TEST(GoldenUses, EachReversedOperandIsNoticed) {
  const std::vector<Program> all = programs();
  size_t operands = 0;
  for (auto id = 1; id <= static_cast<int>(Opcode::vsub4); ++id) {
    const auto root = static_cast<Opcode>(id);
    for (size_t k = 0; isMine(root) && k < ptx::useOf(root).operands.size(); ++k) {
      ++operands;
      const bool seen = std::any_of(all.begin(), all.end(), [&](const Program& program) {
        return uses(program, root) &&
               outcome(program, {root, k}, true) != outcome(program, {}, false);
      });
      EXPECT_TRUE(seen) << ptx::toText(root) << ", operand " << k
                        << ": no golden case fails when it is turned over";
    }
  }
  EXPECT_GT(operands, 40U);
}

}  // namespace tilestep::golden::golden_uses_test
