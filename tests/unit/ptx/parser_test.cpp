// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/parser.h"

#include <gtest/gtest.h>

#include "unit/ptx/support.h"

namespace tilestep::ptx::parser_test {

using Kind = Operand::Kind;

TEST(Parser, AMissingSpaceOfAMemoryAccessIsGeneric) {
  EXPECT_EQ(instruction("ld.f32 %f1, [%rd1];").space, Space::generic);
  EXPECT_EQ(instruction("atom.add.u32 %r1, [%rd1], 1;").space, Space::generic);
  EXPECT_EQ(instruction("add.f32 %f1, %f1, %f1;").space, Space::none);
  EXPECT_EQ(instruction("cvta.to.global.u64 %rd1, %rd2;").space, Space::global);
  EXPECT_EQ(instruction("ld.shared::cta.f32 %f1, [%r1];").space, Space::shared);
}

TEST(Parser, SuffixMeaningDependsOnTheRoot) {
  EXPECT_EQ(instruction("mul.lo.s32 %r1, %r2, %r3;").part, Part::lo);
  const Instruction lower = instruction("setp.lo.u32 %p1, %r2, %r3;");
  EXPECT_EQ(lower.compare, Compare::lo);
  EXPECT_EQ(lower.part, Part::none);
  const Instruction both = instruction("setp.ge.or.s32 %p1|%p2, %r2, %r3, !%p4;");
  EXPECT_EQ(both.compare, Compare::ge);
  EXPECT_EQ(both.boolOp, BoolOp::bitOr);
  EXPECT_EQ(both.operands[0].kind, Kind::pair);
  EXPECT_TRUE(both.operands[3].negated);
  EXPECT_EQ(instruction("atom.global.or.b32 %r1, [%rd1], 1;").boolOp, BoolOp::none);
}

TEST(Parser, ArrayIndicesAreScaledByTheElementSize) {
  const auto operand = [](const std::string& text, size_t number) {
    return kernel(".shared .align 16 .b8 L[64]; .shared .u32 A[16]; \n" + text)
        .body[0]
        .operands[number];
  };
  const Operand address = operand("mov.u64 %rd1, L[3];", 1);
  EXPECT_EQ(address.kind, Kind::symbol);
  EXPECT_EQ(address.name, "L");
  EXPECT_EQ(address.offset, 3);
  EXPECT_EQ(operand("mov.u32 %r1, A[3];", 1).offset, 12);
  const Operand loaded = operand("ld.shared.u32 %r5, A[2];", 1);
  EXPECT_EQ(loaded.kind, Kind::address);
  EXPECT_EQ(loaded.name, "A");
  EXPECT_EQ(loaded.offset, 8);
  EXPECT_EQ(operand("st.shared.u32 A[2], %r4;", 0).kind, Kind::address);
  EXPECT_EQ(operand("ld.shared.u32 %r5, [A+2];", 1).offset, 2);
}

TEST(Parser, EverySpecialRegisterHasItsName) {
  for (int i = 0; i <= static_cast<int>(SpecialRegister::envreg31); ++i) {
    const auto special = static_cast<SpecialRegister>(i);
    const std::string name(toText(special));
    const Instruction move = instruction("mov.u32 %r1, " + name + ";");
    ASSERT_EQ(move.operands.size(), 2U) << name;
    EXPECT_EQ(move.operands[1].kind, Kind::special) << name;
    EXPECT_EQ(move.operands[1].special, special) << name;
  }
}

TEST(Parser, ParameterOffsetsAreAligned) {
  const Module module = parsed(
      ".entry k(.param .u8 a, .param .u32 b, .param .align 8 .b8 s[12], .param .u16 c,"
      " .param .u64 .ptr .global .align 16 p) { ret; }");
  const std::vector<Parameter>& parameters = module.functions[0].parameters;
  ASSERT_EQ(parameters.size(), 5U);
  EXPECT_EQ(parameters[0].offset, 0U);
  EXPECT_EQ(parameters[1].offset, 4U);
  EXPECT_EQ(parameters[2].offset, 8U);
  EXPECT_EQ(parameters[2].bytes(), 12U);
  EXPECT_EQ(parameters[3].offset, 20U);
  EXPECT_EQ(parameters[4].offset, 24U);
}

TEST(Parser, InitialisersBecomeBytes) {
  const Module module = parsed(
      ".const .f32 bias[] = {1.0, -0.5, 0f40000000, 2};\n.global .s16 t[2][2] = {{1, -2}, {3}};\n"
      ".global .u64 p[2] = {generic(t), t+6};\n.extern .shared .align 16 .b8 dynamic[];\n"
      ".shared .f32 tile[4][8];");
  ASSERT_EQ(module.variables.size(), 5U);
  EXPECT_EQ(module.variables[0].initial,
            (std::vector<uint8_t>{0, 0, 128, 63, 0, 0, 0, 191, 0, 0, 0, 64, 0, 0, 0, 64}));
  EXPECT_EQ(module.variables[1].initial, (std::vector<uint8_t>{1, 0, 254, 255, 3, 0, 0, 0}));
  ASSERT_EQ(module.variables[2].references.size(), 2U);
  EXPECT_TRUE(module.variables[2].references[0].generic);
  EXPECT_EQ(module.variables[2].references[1].at, 8U);
  EXPECT_EQ(module.variables[2].references[1].addend, 6);
  EXPECT_TRUE(module.variables[3].isExtern);
  EXPECT_EQ(module.variables[3].elements, 0U);
  EXPECT_EQ(module.variables[4].bytes(), 128U);
}

/// Each instruction's line in the kernel's file.
std::vector<SourceLine> outerLinesOf(const std::string& body) {
  std::vector<SourceLine> lines;
  for (const Instruction& each : kernel(body).body) lines.push_back(each.outerLine);
  return lines;
}

TEST(Parser, InlinedCodeHasTheLineOfItsCall) {
  const std::string first = ".loc 1 50 0\nmov.u32 %r1, 1;\n", next = "\nmov.u32 %r1, 2;\n";
  const std::string sum = ", function_name $L, inlined_at 1 60 5";
  const std::string into = ".loc 1 5 3, function_name $L, inlined_at 1 ";
  const struct {
    const char* what;
    std::string body;
    std::vector<SourceLine> lines;
  } cases[] = {
      {"a chain of calls",
       ".loc 1 5 3" + next + ".loc 2 8 9, function_name $L, inlined_at 1 5 3" + next +
           ".loc 3 1 1, inlined_at 2 8 9, function_name $L+4" + next + ".loc 2 8 9" + next,
       {{1, 5, 3}, {1, 5, 3}, {1, 5, 3}, {2, 8, 9}}},
      {"a circle", ".loc 7 7 7, inlined_at 7 7 7" + next, {{7, 7, 7}}},
      {"a function inlined into itself",
       first + into + "60 7" + next + into + "5 3" + next + into + "5 3" + next,
       {{1, 50, 0}, {1, 60, 7}, {1, 60, 7}, {1, 60, 7}}},
      {"a lambda that calls helpers from this file and another file",
       first + ".loc 1 60 3, function_name $L, inlined_at 1 90 5" + next +
           ".loc 1 7 3, function_name $L+4, inlined_at 1 60 3" + next +
           ".loc 2 70 3, function_name $L+8, inlined_at 1 60 3" + next,
       {{1, 50, 0}, {1, 60, 3}, {1, 60, 3}, {1, 60, 3}}},
      {"a function with a barrier keeps its lines; a helper of the kernel does not",
       first + ".loc 1 31 7" + sum + next + ".loc 1 12 3, function_name $L+4, inlined_at 1 31 7" +
           next + ".loc 1 32 7" + sum + "\nbar.sync 0;\n" +
           ".loc 1 20 3, function_name $L+8, inlined_at 1 70 5" + next,
       {{1, 50, 0}, {1, 31, 7}, {1, 31, 7}, {1, 32, 7}, {1, 70, 5}}},
      {"inline PTX sets no line",
       ".loc 1 5 3" + next +
           "\t// begin inline asm\n.loc 1 90 0, function_name $L, inlined_at 1 91 0" + next +
           ".loc 1 92 0\n\t// end inline asm" + next + ".loc 1 6 3" + next,
       {{1, 5, 3}, {1, 5, 3}, {1, 5, 3}, {1, 6, 3}}},
  };
  for (const auto& [what, body, lines] : cases) EXPECT_EQ(outerLinesOf(body), lines) << what;
}

TEST(Parser, FindsTheDefinitionRatherThanTheDeclaration) {
  const Module module = parsed(
      ".func f();\n.func f() { ret; }\n"
      ".extern .func g();");
  ASSERT_NE(module.find("f"), nullptr);
  EXPECT_EQ(module.find("f")->body.size(), 1U);
  EXPECT_TRUE(module.find("g")->isExtern);
  EXPECT_EQ(module.find("h"), nullptr);
}

TEST(Parser, KeepsTheModuleHeader) {
  const Module module = parsed(
      ".version 9.0\n.target sm_75, texmode_independent, debug\n.address_size 64\n"
      ".file 1 \"a.cu\"\n.weak .entry k() .maxntid 16, 16 .minnctapersm 2 { ret; }");
  EXPECT_EQ(module.version, "9.0");
  EXPECT_EQ(module.target, "sm_75, texmode_independent");
  EXPECT_EQ(module.files.at(1), "a.cu");
  EXPECT_EQ(module.functions[0].linkage, "weak");
  EXPECT_EQ(module.functions[0].directives,
            (std::vector<std::string>{".maxntid 16, 16", ".minnctapersm 2"}));
}

struct Refusal {
  std::string text;
  int line, column;  ///< Within `text`.
  std::string reason;
};

void expectRefused(const Refusal& refusal, const std::string& module, int linesBefore) {
  const Result<Module> read = parse(module, "bad.ptx");
  ASSERT_FALSE(read.ok()) << refusal.text;
  EXPECT_EQ(read.error().kind, ErrorKind::request);
  const std::string place = "bad.ptx:" + std::to_string(linesBefore + refusal.line) + ":" +
                            std::to_string(refusal.column) + ": ";
  const std::string said = toString(read.error());
  EXPECT_EQ(said.substr(0, said.find('\n')), place + refusal.reason) << refusal.text;
}

TEST(Parser, RefusesABadFunctionWithPositionAndReason) {
  const Refusal refusals[] = {
      {"ld.global.f32 %f1, [0f3F800000];", 1, 21, "an address cannot be a floating-point constant"},
      {"ld.global.f32 %f1, [%rd1;", 1, 25, "expected ']' after the address, found ';'"},
      {"mov.u32 %r1, 12abc;", 1, 14, "'12abc' is not a PTX constant"},
      {std::string(64, '{'), 1, 64, "this function has too many nested scopes"},
      {"@%p bra here;\nhere: ret;", 1, 2, "'%p' is not a declared register"},
      {"mov.u64 %rd1, 99999999999999999999;", 1, 15,
       "'99999999999999999999' is not a PTX constant"},
      {"{ inside: mov.u32 %r1, 1; }\nbra inside;", 2, 5, "there is no label 'inside'"},
      {"here: mov.u32 %r1, 1;\nhere: ret;", 2, 1, "label 'here' is declared twice in this scope"},
      {".loc 1 2 3, inlined_by 1 2 3", 1, 13,
       "a .loc can have function_name and inlined_at, not 'inlined_by'"},
      {"mov.u32 %r1, 1\nmov.u32 %r2, 2;", 2, 1,
       "expected ';' after the instruction 'mov', found 'mov'"},
      {"add %r1, %r2, %r3;", 1, 1, "'add' needs a type, such as .f32"},
      {"mov.u32 %r1, \xc3\xa9;", 1, 14, "PTX may contain only ASCII characters"},
      {"mov.f32 %f1, %f100;", 1, 14, "'%f100' is not declared"},
      {".reg .f32 %f<4>;", 1, 11, "'%f' is declared twice in this scope"},
      {"{ mov.u32 %r1, 1;", -5, 1, "this brace is not closed"},
      {"mov.f32 %f1, 0f3F80;", 1, 14, "'0f3F80' is not a PTX constant"},
      {"mov.u32 %r1, ?;", 1, 14, "unexpected character '?'"},
      {".pragma \"nounroll;", 1, 9, "this string does not end on its line"},
      {"brx.idx %r1, nothing;", 1, 14, "'nothing' is not declared"},
      {"add.f32 %f1, %f2;", 1, 1, "'add' needs 3 operands, not 2"},
      {"mov.u32 %r1, %r2, %r3;", 1, 1, "'mov' needs 2 operands, not 3"},
      {".frob 3;", 1, 1, "unknown directive '.frob' in a function"},
      {"frobnicate.f32 %f1, %f2;", 1, 1, "unknown instruction 'frobnicate'"},
      {"bra nowhere;", 1, 5, "there is no label 'nowhere'"},
      {"add.f32 %f1, %f2, %q3;", 1, 19, "'%q3' is not declared"},
      {"mov.u32 %r1, %tid.w;", 1, 14, "'%tid.w' is not declared"},
      {"ld.global.v2.f32 %f1, [%rd1];", 1, 1, "this vector access needs 2 elements in braces"},
      {"ld.global.v4.f32 {%f1, %f2}, [%rd1];", 1, 1, "this vector access needs 4 elements, not 2"},
  };
  for (const Refusal& refusal : refusals) expectRefused(refusal, kernelText(refusal.text), 10);
}

TEST(Parser, RefusesABadModuleWithPositionAndReason) {
  const Refusal refusals[] = {
      {".global .align 3 .u32 x;", 1, 16, "an alignment must be a power of two, not 3"},
      {".entry k()\n{\nret;", 2, 1, "this brace is not closed"},
      {".func f() { ret; }\n.func f() { ret; }", 2, 1, "function 'f' is defined twice"},
      {".global .u64 x[1000000][1000000][1000000];", 1, 33,
       "an array is larger than 1099511627776 bytes"},
      {".global .u8 x[100000000] = {1};", 1, 28,
       "an initialised variable is larger than 67108864 bytes"},
      {".global .u32 x[2] = {1, 2, 3};", 1, 29, "'x' has more initial values than elements"},
      {".global x;", 1, 9, "a declaration needs a type, such as .f32"},
      {".entry k(.param .align 4 .b8 s[40000]) { ret; }", 1, 31,
       "parameter 's' has 40000 bytes; the maximum is 32764"},
      {".entry k(.param .u32 a, .param .u32 a) { ret; }", 1, 40, "parameter 'a' is declared twice"},
      {".section .debug_str {", 1, 10, "this section is not closed"},
      {"hello", 1, 1, "expected a function, a variable or a directive, found 'hello'"},
  };
  const std::string head = ".version 7.0\n.target sm_75\n.address_size 64\n";
  for (const Refusal& refusal : refusals) expectRefused(refusal, head + refusal.text, 3);
  expectRefused({"", 1, 15, "only .address_size 64 is supported"},
                ".version 7.0\n.target sm_75\n.address_size 32\n", 2);
  expectRefused({"", 1, 1, "a PTX module must start with .version, .target and .address_size"},
                "// nothing\n", 1);
}

TEST(Parser, DeepNestingIsRefusedWithoutRecursion) {
  EXPECT_FALSE(parse(kernelText(std::string(1 << 20, '{'))).ok());
  EXPECT_FALSE(parse(kernelText("mov.b64 %rd1, " + std::string(1 << 20, '{'))).ok());
  EXPECT_FALSE(parse(kernelText("call f, " + std::string(1 << 20, '('))).ok());
  EXPECT_FALSE(parse(".global .u8 x[] = " + std::string(1 << 20, '{')).ok());
}

}  // namespace tilestep::ptx::parser_test
