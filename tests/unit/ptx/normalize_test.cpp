// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/normalize.h"

#include <gtest/gtest.h>

#include "ptx/text/printer.h"
#include "unit/ptx/support.h"

namespace tilestep::ptx::normalize_test {

std::string turned(std::string_view statements) {
  const Module before = parsed(kernelText(statements));
  const Module module = withTurnedBranches(before);
  const Module again = parsed(print(module));
  EXPECT_EQ(withoutPtxLines(again), withoutPtxLines(module));
  const Function& function = module.functions.front();
  std::string text;
  for (uint32_t i = 0; i < function.body.size(); ++i) {
    for (const Label& label : function.labels) {
      if (label.at == i) text += label.name + ": ";
    }
    text += print(function.body[i], function) + " ";
  }
  return text;
}

TEST(Normalize, ABranchAroundABranchIsInverted) {
  EXPECT_EQ(turned("L: add.s32 %r1, %r1, 1;\n@%p1 bra M;\nbra.uni L;\nM: @%p2 bra L;\nret;"),
            "L: add.s32 %r1, %r1, 1; @!%p1 bra L; M: @%p2 bra L; ret; ");
  EXPECT_EQ(turned("@!%p1 bra M;\nbra.uni N;\nM: bra M;\nN: ret;"),
            "@%p1 bra N; M: bra M; N: ret; ");
}

TEST(Normalize, TheBranchToTheInnermostLoopBecomesConditional) {
  EXPECT_EQ(turned("N: ret;\nL: add.s32 %r1, %r1, 1;\n@%p1 bra N;\nbra.uni L;\nM: ret;"),
            "N: ret; L: add.s32 %r1, %r1, 1; @!%p1 bra L; bra.uni N; M: ret; ");
  EXPECT_EQ(turned("L: add.s32 %r1, %r1, 1;\n@!%p1 bra N;\nbra.uni L;\nM: ret;\nN: ret;"),
            "L: add.s32 %r1, %r1, 1; @%p1 bra L; bra.uni N; M: ret; N: ret; ");
}

TEST(Normalize, OtherBranchesStay) {
  for (const std::string_view text :
       {"@%p1 bra M; L: bra.uni N; M: @%p2 bra L; N: ret; ",  // Another branch leads to L.
        "@%p1 bra N; bra.uni M; M: add.s32 %r1, %r1, 1; N: ret; ",
        "N: ret; L: ret; @%p1 bra L; bra.uni N; M: ret; ", "bra M; bra.uni N; M: ret; N: ret; ",
        "@%p1 bra M; @%p2 bra N; M: ret; N: ret; "}) {
    EXPECT_EQ(turned(text), text);
  }
}

TEST(Normalize, AThreadReadsOnlyTheVariableThatItSelects) {
  const auto guarded = [](const std::string& text) {
    const std::string variables = ".shared .align 4 .b8 a[4]; .shared .align 4 .b8 b[8];\n";
    const Module module = withGuardedSelections(parsed(kernelText(variables + text)));
    const Function& function = module.functions.front();
    std::string printed;
    for (const Instruction& i : function.body) printed += print(i, function) + " ";
    return printed;
  };
  const std::string decided = "setp.eq.s32 %p1, %r1, 0; ", left = "ld.shared.u32 %r2, [a]; ",
                    right = "ld.shared.u32 %r3, [b+4]; ", select = "selp.b32 %r4, %r2, %r3, %p1; ";
  EXPECT_EQ(guarded(decided + left + right + select + "ret; "),
            decided + "@%p1 " + left + "@!%p1 " + right + select + "ret; ");
  for (const std::string& text :
       {left + decided + right + select + "ret; ",
        decided + left + right + select + "add.s32 %r5, %r2, 1; ret; ",
        decided + "ld.shared.u32 %r2, [%r6]; " + right + select + "ret; "})
    EXPECT_EQ(guarded(text), text);
}

}  // namespace tilestep::ptx::normalize_test
