// SPDX-License-Identifier: Apache-2.0
// The formulas in opcodes.def, and the register graph.
#include <gtest/gtest.h>

#include <algorithm>

#include "ptx/analysis/counted.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/analysis/uses.h"
#include "unit/ptx/support.h"

namespace tilestep::ptx::formula_test {

/// The terms of all operands, starting with the result's '.'.
std::string termsOf(std::string_view statement) {
  const Instruction i = instruction(statement);
  std::string terms;
  for (size_t k = 0; k < i.operands.size(); ++k) terms += termOf(i, k);
  return terms;
}

TEST(Formula, EveryTermHasASourceAndAKnownLetter) {
  for (auto id = 1; id <= static_cast<int>(Opcode::vsub4); ++id) {
    const auto opcode = static_cast<Opcode>(id);
    const Formula formula = formulaOf(opcode);
    if (formula.terms.empty() && formula.facts.empty()) continue;
    EXPECT_EQ(useOf(opcode).operands, "wr") << toText(opcode) << " does not have a single result";
    EXPECT_EQ(useOf(opcode).effect, Effect::none) << toText(opcode);
    EXPECT_LE(formula.terms.size() + 1, ruleOf(formOf(opcode)).maxOperands) << toText(opcode);
    EXPECT_GE(formula.terms.size() + 1, ruleOf(formOf(opcode)).minOperands) << toText(opcode);
    EXPECT_EQ(formula.terms.find_first_not_of("=@~+-*<."), std::string_view::npos);
    EXPECT_EQ(formula.facts.find_first_not_of("fns"), std::string_view::npos);
    const size_t shift = formula.terms.find('<');
    EXPECT_TRUE(shift == std::string_view::npos || (shift > 0 && formula.terms[shift - 1] == '*'));
  }
}

TEST(Formula, TermsDescribeOperands) {
  EXPECT_EQ(termsOf("mad.lo.s32 %r1, %r2, %r3, %r4;"), ".**+");
  EXPECT_EQ(termsOf("sub.s32 %r1, %r2, %r3;"), ".+-");
  EXPECT_EQ(termsOf("selp.b32 %r1, %r2, %r3, %p1;"), ".==.");
  EXPECT_EQ(termsOf("shl.b32 %r1, %r2, 3;"), ".*<");
  EXPECT_EQ(termsOf("popc.b32 %r1, %r2;"), "..") << "popc has no formula";
  EXPECT_EQ(termsOf("setp.lt.and.s32 %p1, %r1, %r2, %p2;"), "....")
      << "the last operand has no term";
}

TEST(Formula, SumsProductsAndCopiesDiffer) {
  const auto kindOf = [](std::string_view statement) {
    const Instruction i = instruction(statement);
    return std::string(isSum(i) ? "sum " : "") + (isProduct(i) ? "product " : "") +
           (copiesSource(i) ? "copy " : "");
  };
  EXPECT_EQ(kindOf("add.s32 %r1, %r2, %r3;"), "sum ");
  EXPECT_EQ(kindOf("fma.rn.f32 %f1, %f2, %f3, %f4;"), "sum ");
  EXPECT_EQ(kindOf("mul.lo.s32 %r1, %r2, %r3;"), "product ");
  EXPECT_EQ(kindOf("mov.u32 %r1, %r2;"), "copy ");
  EXPECT_EQ(kindOf("selp.b32 %r1, %r2, %r3, %p1;"), "copy ");
  EXPECT_EQ(kindOf("cvt.s64.s32 %rd1, %r2;"), "") << "the bits change";
  EXPECT_EQ(kindOf("shl.b32 %r1, %r2, 3;"), "");
  EXPECT_EQ(kindOf("neg.s32 %r1, %r2;"), "") << "nothing is added";
  EXPECT_EQ(kindOf("dp4a.s32.s32 %r1, %r2, %r3, %r4;"), "") << "it multiplies parts of its sources";
}

TEST(Formula, FactsDependOnSuffixesAndTypes) {
  EXPECT_TRUE(isPure(instruction("add.s32 %r1, %r2, %r3;")));
  EXPECT_FALSE(isPure(instruction("add.cc.s32 %r1, %r2, %r3;"))) << "it also writes the carry";
  EXPECT_FALSE(isPure(instruction("addc.s32 %r1, %r2, %r3;"))) << "it reads the carry";
  EXPECT_FALSE(isPure(instruction("ld.global.u32 %r1, [%rd1];")));
  EXPECT_TRUE(needsValues(instruction("mul.f32 %f1, %f2, %f3;")));
  EXPECT_FALSE(needsValues(instruction("and.b32 %r1, %r2, %r3;")));
  EXPECT_TRUE(standsForSum(instruction("mul.f32 %f1, %f2, %f3;")));
  EXPECT_FALSE(standsForSum(instruction("mul.lo.s32 %r1, %r2, %r3;")));
  EXPECT_TRUE(standsForSum(instruction("mov.u32 %r1, %r2;")));
  EXPECT_TRUE(standsForSum(instruction("cvt.rn.f32.f64 %f1, %fd1;")));
  EXPECT_FALSE(standsForSum(instruction("cvt.s64.s32 %rd1, %r2;")));
}

TEST(Formula, OnlyWarpSynchronousInstructionsJoinLanes) {
  EXPECT_TRUE(joinsLanes(instruction("shfl.sync.up.b32 %r1, %r2, 1, 0, -1;")));
  EXPECT_TRUE(joinsLanes(instruction("bar.warp.sync -1;")));
  EXPECT_FALSE(joinsLanes(instruction("bar.sync 0;")));
  EXPECT_FALSE(joinsLanes(instruction("activemask.b32 %r1;")));
}

TEST(Formula, CountsDependOnGuards) {
  for (const char* text : {"ld.global.u32 %r1, [%rd1];", "bar.sync 0;", "ret;", "bra L; L: ret;",
                           "fma.rn.f32 %f1, %f2, %f3, %f4;"})
    EXPECT_TRUE(isCounted(instruction(text))) << text;
  for (const char* text : {"bar.arrive 0, 32;", "ld.local.u32 %r1, [%rd1];",
                           "add.f64 %fd1, %fd2, %fd3;", "min.f32 %f1, %f2, %f3;"})
    EXPECT_FALSE(isCounted(instruction(text))) << text;
}

TEST(RegisterGraph, FactsSpreadIndependentlyOfInstructionOrder) {
  // %r1 comes from memory; the values computed from it precede it.
  const Function function = kernel(
      "a: add.u32 %r3, %r2, 1;\nadd.u32 %r2, %r1, 1;\n@%p1 mov.u32 %r5, 0;\n"
      "setp.lt.u32 %p1, %r3, 7;\nld.global.u32 %r1, [%rd1];\nmov.u32 %r4, 1;\nbra a;");
  const RegisterGraph graph(function);
  Bits loaded(function.registers.size(), false);
  size_t visits = 0;
  graph.solve([&](uint32_t i) {
    ++visits;
    bool from = readsMemory(function.body[i]);
    for (const uint32_t reg : graph.read[i]) from = from || loaded[reg];
    bool changed = false;
    for (const uint32_t reg : graph.written[i]) {
      changed = changed || (from && !loaded[reg]);
      loaded[reg] = loaded[reg] || from;
    }
    return changed;
  });
  std::string names;
  for (const uint32_t reg : numbersOf(loaded)) names += function.registers[reg].name + " ";
  EXPECT_EQ(names, "%r3 %r2 %r1 %p1 %r5 ");
  EXPECT_EQ(visits, function.body.size() + 4)
      << "only readers of changed registers are visited again";
}

TEST(RegisterGraph, EdgesLeadFromReadToWrittenRegisters) {
  const Function function =
      kernel("add.u32 %r1, %r1, %r2;\n@%p1 ld.global.u32 %r3, [%rd1];\nst.global.u32 [%rd2], %r3;");
  const auto named = [&](const char* name) {
    const auto at = std::ranges::find(function.registers, name, &Register::name);
    return static_cast<uint32_t>(at - function.registers.begin());
  };
  const RegisterGraph graph(function);
  const Graph edges = graph.edges([](uint32_t) { return true; });
  using Numbers = std::vector<uint32_t>;
  EXPECT_EQ(edges[named("%r1")], Numbers{named("%r1")});
  EXPECT_EQ(edges[named("%r2")], Numbers{named("%r1")});
  EXPECT_EQ(edges[named("%p1")], Numbers{named("%r3")}) << "a guard is read";
  EXPECT_EQ(edges[named("%rd1")], Numbers{named("%r3")}) << "an address is read";
  EXPECT_EQ(edges[named("%r3")], Numbers{}) << "a store writes no register";
  EXPECT_EQ(graph.edges([](uint32_t i) { return i == 0; })[named("%p1")], Numbers{});
  EXPECT_EQ(graph.writers[named("%r3")], Numbers{1});
  EXPECT_EQ(graph.readers[named("%r3")], Numbers{2});
}

}  // namespace tilestep::ptx::formula_test
