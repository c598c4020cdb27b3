// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/printer.h"

#include <gtest/gtest.h>

#include "ptx/text/parser.h"
#include "support/results.h"
#include "unit/ptx/support.h"

namespace tilestep::ptx::printer_test {

TEST(Printer, InsertsLinesAroundInstructions) {
  const Module module = parsed(kernelText("top:\nadd.s32 %r1, %r1, 1;\nbra top;"));
  Edits edits;
  edits.moduleStart = {".global .u64 probe;"};
  Weave& weave = edits.functions["k"];
  weave.declarations = {".reg .u64 %probe<2>;"};
  weave.start = {"mov.u64 %probe1, 0;"};
  weave.before[0] = {"add.u64 %probe1, %probe1, 1;"};
  weave.after[0] = {"add.u64 %probe1, %probe1, 2;"};
  weave.directives = {".maxntid 64, 1, 1"};
  weave.parameters = {".param .u64 log"};
  const std::string text = print(module, edits);
  EXPECT_EQ(text,
            ".version 7.5\n.target sm_75\n.address_size 64\n.global .u64 probe;\n\n"
            ".visible .entry k(\n\t.param .u64 log\n)\n.maxntid 64, 1, 1\n{\n"
            "\t.reg .b32 %r<2>;\n\t.reg .u64 %probe<2>;\n\tmov.u64 %probe1, 0;\n"
            "top:\n\tadd.u64 %probe1, %probe1, 1;\n\tadd.s32 %r1, %r1, 1;\n"
            "\tadd.u64 %probe1, %probe1, 2;\n\tbra top;\n}\n");
  EXPECT_TRUE(parse(text).ok());
}

TEST(Printer, InstructionPragmasStayAtInstructionsAndLoopPragmasAtLoops) {
  const Module module =
      parsed(kernelText("top:\n.pragma \"nounroll\";\n.pragma \"used_bytes_mask 3\";\n"
                        "ld.global.u32 %r1, [%rd1];"));
  Edits edits;
  edits.functions["k"].before[0] = {"// woven"};
  const std::string text = print(module, edits);
  const size_t unroll = text.find("nounroll");
  const size_t woven = text.find("// woven");
  const size_t mask = text.find("used_bytes_mask 3");
  EXPECT_LT(unroll, woven);
  EXPECT_LT(woven, mask);
  EXPECT_TRUE(has(text, "used_bytes_mask 3\";\n\tld.global"));
}

TEST(Printer, ARangeNeverDeclaresANameOfAnotherType) {
  const Module module = parsed(
      ".entry k()\n{\n"
      ".reg .b32 %a1, %a3;\n.reg .f32 %a2;\nmov.u32 %a1, %a3;\nmov.f32 %a2, %a2;\n}\n");
  const Module again = parsed(print(module));
  EXPECT_EQ(withoutPtxLines(again), withoutPtxLines(module));
}

}  // namespace tilestep::ptx::printer_test
