// SPDX-License-Identifier: Apache-2.0
#include "ptx/rewrite/own_returns.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ptx/text/parser.h"
#include "ptx/text/printer.h"
#include "support.h"

namespace tilestep::ptx::own_returns_test {

using Bools = std::vector<bool>;

TEST(OwnReturns, OnlyReturnsFollowsBranchesToAReturn) {
  const Function function = kernel(
      "@%p1 bra done;\nmov.u32 %r1, 1;\nback: bra back;\n"
      "done: bra last;\nlast: ret;");
  EXPECT_EQ(onlyReturns(function), (Bools{false, false, false, true, true, true}));
}

TEST(OwnReturns, AreNeededIfOtherThreadsMayWait) {
  EXPECT_EQ(leavesOthersWaiting(kernel("@%p1 bra done;\nbar.sync 0;\ndone: ret;")),
            (Bools{true, false, false}));
  EXPECT_EQ(leavesOthersWaiting(kernel("@%p1 bra done;\nvote.sync.all.pred %p2, %p1, -1;\n"
                                       "done: ret;")),
            (Bools{true, false, false}));
  EXPECT_EQ(leavesOthersWaiting(kernel("bar.sync 0;\n@%p1 bra done;\nmov.u32 %r1, 1;\ndone: ret;")),
            (Bools{false, false, false, false}))
      << "no barrier follows";
  EXPECT_EQ(leavesOthersWaiting(kernel("@%p1 bra done;\nbar.sync 0;\ndone: mov.u32 %r1, 1;\nret;")),
            (Bools{false, false, false, false}))
      << "another instruction precedes the return";
  EXPECT_EQ(leavesOthersWaiting(kernel("@%p1 bra work;\nbra done;\nwork: bar.sync 0;\ndone: ret;")),
            (Bools{false, true, false, false}));
}

TEST(OwnReturns, AreNeededIfACalledFunctionMayWait) {
  std::string text = kernelText("@%p1 bra done;\ncall meet;\ndone: ret;");
  text.insert(text.find(".visible"), ".func meet()\n{\nbar.sync 0;\nret;\n}\n");
  const Module module = parsed(text);
  ASSERT_EQ(module.functions.size(), 2U);
  EXPECT_EQ(leavesOthersWaiting(module.functions.back()), (Bools{true, false, false}));
}

TEST(OwnReturns, AreInsertedAfterTheBranch) {
  const Module module =
      parsed(kernelText("@%p1 bra done;\nbar.sync 0;\nst.global.u32 [%rd1], %r1;\nbra last;\n"
                        "done: bra last;\nlast: ret;"));
  const Module rewritten = withOwnReturns(module);
  const Function& function = rewritten.functions.front();
  std::vector<Opcode> opcodes;
  for (const Instruction& i : function.body) opcodes.push_back(i.opcode);
  EXPECT_EQ(opcodes, (std::vector{Opcode::bra, Opcode::bra, Opcode::ret, Opcode::bar, Opcode::st,
                                  Opcode::bra, Opcode::bra, Opcode::ret}));
  EXPECT_TRUE(function.body[0].guard.negated);
  EXPECT_EQ(function.body[0].operands[0].target, 3U);
  EXPECT_EQ(function.body[1].operands[0].target, 2U);
  EXPECT_EQ(function.body[5].operands[0].target, 7U);
  // The printed program has the same branches.
  const Module again = parsed(print(rewritten));
  EXPECT_EQ(again.functions.front().body[0].operands[0].target, 3U);
}

TEST(OwnReturns, OtherProgramsAreUnchanged) {
  const Module module = parsed(kernelText("@%p1 bra done;\nmov.u32 %r1, 1;\ndone: ret;"));
  EXPECT_EQ(withOwnReturns(module), module);
}

}  // namespace tilestep::ptx::own_returns_test
