// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/loop_nest.h"

#include <gtest/gtest.h>

#include "support.h"

namespace tilestep::ptx::loop_nest_test {

std::vector<Loop> loopsIn(const std::string& body) {
  return loopsOf(analyseControlFlow(kernel(body)));
}

TEST(LoopNest, OuterLoopsComeBeforeInnerLoops) {
  const auto loops = loopsIn(
      "mov.u32 %r1, 0;\n"
      "OUTER: mov.u32 %r2, 0;\n"
      "INNER: add.s32 %r2, %r2, 1;\n@%p1 bra INNER;\n"
      "add.s32 %r1, %r1, 1;\n@%p2 bra OUTER;\nret;");
  ASSERT_EQ(loops.size(), 2U);
  EXPECT_EQ(loops[0].header, 1U);
  EXPECT_EQ(loops[0].blocks, (std::vector<uint32_t>{1, 2, 3}));
  EXPECT_FALSE(loops[0].isInnermost);
  EXPECT_EQ(loops[1].blocks, std::vector<uint32_t>{2});
  EXPECT_TRUE(loops[1].isInnermost);
}

TEST(LoopNest, SiblingLoopsAreBothInnermost) {
  const auto loops = loopsIn(
      "OUTER: add.s32 %r2, %r2, 1;\n"
      "A: add.s32 %r2, %r2, 1;\n@%p1 bra A;\n"
      "B: add.s32 %r2, %r2, 1;\n@%p2 bra B;\n"
      "@%p3 bra OUTER;\nret;");
  ASSERT_EQ(loops.size(), 3U);
  EXPECT_FALSE(loops[0].isInnermost);
  EXPECT_TRUE(loops[1].isInnermost);
  EXPECT_TRUE(loops[2].isInnermost);
}

TEST(LoopNest, ALoopWithTwoEntriesHasNoHeader) {
  const auto loops = loopsIn(
      "@%p1 bra B;\n"
      "A: add.s32 %r1, %r1, 1;\n@%p2 bra END;\n"
      "B: add.s32 %r1, %r1, 2;\nbra A;\n"
      "END: ret;");
  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0].header, kNone);
}

TEST(LoopNest, UnreachableLoopsAreIgnored) {
  EXPECT_TRUE(loopsIn("bra END;\nA: add.s32 %r1, %r1, 1;\nbra A;\nEND: ret;").empty());
}

}  // namespace tilestep::ptx::loop_nest_test
