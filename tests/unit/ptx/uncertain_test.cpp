// SPDX-License-Identifier: Apache-2.0
#include "ptx/lanes/uncertain.h"

#include <gtest/gtest.h>

#include "ptx/text/printer.h"
#include "support.h"

namespace tilestep::ptx::uncertain_test {

/// The uncertain accesses, one per line; in parentheses if a waiting loop is the reason.
std::string uncertainIn(const std::string& body) {
  const Function function = kernel(body);
  std::string texts;
  for (const UncertainAccess& access : uncertainAccesses(function)) {
    const std::string text = print(function.body[access.instruction], function);
    const bool ofWait = access.because == UncertainAccess::Because::waits ||
                        access.because == UncertainAccess::Because::waited;
    texts += (texts.empty() ? "" : "\n") + (ofWait ? "(" + text + ")" : text);
  }
  return texts;
}

/// A loop in which each lane counts from its thread index (%r1) to a common limit (%r2).
std::string loopWith(const std::string& inside, const std::string& step = "add.s32 %r1, %r1, 4;",
                     const std::string& test = "setp.lt.s32 %p1, %r1, %r2;") {
  return "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ntid.x;\nmov.u64 %rd1, 64;\n"
         "L: ld.global.f32 %f1, [%rd1];\n" +
         inside + "\n" + step + "\n" + test + "\n@%p1 bra L;\nret;";
}

const char* const kLoad = "ld.global.f32 %f1, [%rd1];";

TEST(Uncertain, ALoopThatLanesLeaveInDifferentIterationsMayBeUnrolled) {
  EXPECT_EQ(uncertainIn(loopWith("")), kLoad);
  EXPECT_EQ(uncertainIn(loopWith("st.global.f32 [%rd1], %f1;")),
            std::string(kLoad) + "\nst.global.f32 [%rd1], %f1;");
}

TEST(Uncertain, ALoopThatAllLanesLeaveTogetherIsCertain) {
  EXPECT_TRUE(uncertainAccesses(Function()).empty());
  EXPECT_EQ(uncertainIn("mov.u32 %r1, 0;\nmov.u64 %rd1, 64;\n"
                        "L: ld.global.f32 %f1, [%rd1];\nadd.s32 %r1, %r1, 1;\n"
                        "setp.lt.s32 %p1, %r1, 9;\n@%p1 bra L;\nret;"),
            "");
}

TEST(Uncertain, LoopsThatTheAssemblerDoesNotUnrollAreCertain) {
  EXPECT_EQ(uncertainIn(loopWith("", "add.s32 %r1, %r1, %r3;")), "") << "no constant step";
  EXPECT_EQ(uncertainIn(loopWith("", "shl.b32 %r1, %r1, 1;")), "") << "it does not add";
  EXPECT_EQ(uncertainIn(loopWith("add.s32 %r2, %r2, 1;")), "") << "the limit changes";
  EXPECT_EQ(uncertainIn(loopWith("bar.sync 0;")), "");
  EXPECT_EQ(uncertainIn(loopWith("shfl.sync.down.b32 %r4, %r5, 1, 31, -1;")), "");
  EXPECT_EQ(uncertainIn(loopWith("red.global.add.u32 [%rd1], 1;")), "");
  EXPECT_EQ(uncertainIn(loopWith("div.rn.f32 %f2, %f2, %f1;")), "") << "it calls a subroutine";
  EXPECT_EQ(uncertainIn(loopWith(".pragma \"nounroll\";\nadd.f32 %f2, %f2, %f1;")), "");
  EXPECT_EQ(uncertainIn(loopWith("setp.gt.f32 %p2, %f1, %f2;\n@%p2 bra M;") + "\nM: ret;"), "")
      << "two exits";
  std::string longLoop;
  for (int i = 0; i < 50; ++i) longLoop += "add.f32 %f2, %f2, %f1;\n";
  EXPECT_EQ(uncertainIn(loopWith(longLoop)), "");
}

TEST(Uncertain, TheStepMayBeInARegister) {
  EXPECT_EQ(uncertainIn("mov.u32 %r9, 4;\n" + loopWith("", "add.s32 %r1, %r1, %r9;")), kLoad);
}

TEST(Uncertain, ALoopWithABranchInsideMayBeUnrolled) {
  EXPECT_EQ(uncertainIn(loopWith("setp.gt.f32 %p2, %f1, %f2;\n@%p2 bra M;\n"
                                 "add.f32 %f2, %f2, %f1;\nM: add.f32 %f2, %f2, %f2;")),
            kLoad);
}

TEST(Uncertain, AWaitingLoopMakesCodeUncertainUpToABarrier) {
  EXPECT_EQ(uncertainIn("mov.u64 %rd1, 64;\nld.global.u32 %r1, [%rd1];\n"
                        "L: ld.volatile.global.u32 %r2, [%rd1+4];\nsetp.eq.s32 %p1, %r2, 0;\n"
                        "@%p1 bra L;\n"
                        "ld.global.u32 %r3, [%rd1+8];\nbar.sync 0;\nld.global.u32 %r4, [%rd1+12];\n"
                        "ret;"),
            "(ld.volatile.global.u32 %r2, [%rd1+4];)\n"
            "(ld.global.u32 %r3, [%rd1+8];)");
}

TEST(Uncertain, ALoopThatRetriesAnAtomicOperationWaits) {
  const std::string tail = "setp.ne.s32 %p1, %r2, %r1;\nmov.u32 %r1, %r2;\n@%p1 bra L;\nret;";
  EXPECT_EQ(uncertainIn("mov.u64 %rd1, 64;\nL: ld.global.f32 %f1, [%rd1];\n"
                        "atom.global.cas.b32 %r2, [%rd1], %r1, 5;\n" +
                        tail),
            "(ld.global.f32 %f1, [%rd1];)");
}

TEST(Uncertain, ALoopWaitsIfABranchOnAnAtomicResultDeterminesItsExit) {
  EXPECT_EQ(uncertainIn("mov.u64 %rd1, 64;\nmov.u64 %rd2, 128;\n"
                        "L: ld.global.f32 %f1, [%rd1];\nmov.u32 %r3, 0;\n"
                        "atom.global.cas.b32 %r2, [%rd2], 0, 1;\nsetp.ne.s32 %p1, %r2, 0;\n"
                        "@%p1 bra M;\nmov.u32 %r3, 1;\nM: setp.eq.s32 %p2, %r3, 0;\n"
                        "@%p2 bra L;\nret;"),
            "(ld.global.f32 %f1, [%rd1];)");
}

TEST(Uncertain, CodeAfterEachExitOfAWaitingLoopIsUncertain) {
  EXPECT_EQ(uncertainIn("mov.u64 %rd1, 64;\n"
                        "L: ld.volatile.shared.u32 %r2, [%rd1+4];\nsetp.eq.s32 %p1, %r2, 1;\n"
                        "@%p1 bra A;\nsetp.ne.s32 %p2, %r2, 2;\n@%p2 bra L;\n"
                        "ld.global.u32 %r3, [%rd1+8];\nret;\nA: ld.global.u32 %r4, [%rd1];\nret;"),
            "(ld.volatile.shared.u32 %r2, [%rd1+4];)\n"
            "(ld.volatile.shared.u32 %r2, [%rd1+4];)\n"
            "(ld.global.u32 %r3, [%rd1+8];)\n"
            "(ld.global.u32 %r4, [%rd1];)")
      << "the load in the loop is listed once for each exit";
}

TEST(Uncertain, ALoopThatMayBeUnrolledNamesItsBranch) {
  const Function function = kernel(loopWith(""));
  const std::vector<UncertainAccess> unrolled = uncertainAccesses(function);
  ASSERT_EQ(unrolled.size(), 1U);
  EXPECT_EQ(print(function.body.at(unrolled[0].branch), function), "@%p1 bra L;");
  EXPECT_TRUE(unrolled[0].ifParted);
}

TEST(Uncertain, AnAddressFromAnAtomicOperationIsUncertain) {
  EXPECT_EQ(uncertainIn("mov.u64 %rd1, 64;\natom.global.add.u32 %r2, [%rd1], 1;\n"
                        "mul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
                        "st.global.u32 [%rd4], %r2;\nst.global.u32 [%rd1+4], %r2;\nret;"),
            "st.global.u32 [%rd4], %r2;");
}

TEST(Uncertain, ALoopInAnIrreducibleLoopIsFound) {
  EXPECT_EQ(uncertainIn("mov.u64 %rd1, 64;\nmov.u32 %r2, %ntid.x;\n@%p1 bra B;\n"
                        "A: add.s32 %r9, %r9, 1;\nB: mov.u32 %r1, %tid.x;\n"
                        "L: ld.global.f32 %f1, [%rd1];\nadd.s32 %r1, %r1, 4;\n"
                        "setp.lt.s32 %p2, %r1, %r2;\n@%p2 bra L;\n@%p3 bra A;\nret;"),
            kLoad);
}

TEST(Uncertain, AnAtomicOperationWithoutEffectOnTheExitIsNoWait) {
  EXPECT_EQ(uncertainIn(loopWith("atom.global.add.u32 %r5, [%rd1], 1;")), "");
}

/// Lanes diverge at a first branch, and run `low` or `high`.
std::string twoSides(const std::string& low, const std::string& high) {
  return "mov.u32 %r1, %tid.x;\nmov.u64 %rd1, 64;\nsetp.gt.u32 %p1, %r1, 7;\n"
         "setp.eq.u32 %p2, %r1, 3;\nsetp.eq.u32 %p3, %r1, 9;\n@%p1 bra HIGH;\n" +
         low + "HIGH: " + high +
         "BOTH: ld.global.f32 %f2, [%rd1+8];\n"
         "END: st.global.f32 [%rd1+12], %f2;\nret;";
}

TEST(Uncertain, SomeLanesMayMeetBeforeAllLanesReconverge) {
  EXPECT_EQ(uncertainIn(twoSides("ld.global.f32 %f1, [%rd1];\n@%p2 bra BOTH;\nbra END;\n",
                                 "@!%p3 bra END;\nld.global.f32 %f1, [%rd1+4];\n")),
            "ld.global.f32 %f2, [%rd1+8];");
}

TEST(Uncertain, NothingIsUncertainAfterAllLanesMeet) {
  EXPECT_EQ(uncertainIn(twoSides("ld.global.f32 %f1, [%rd1];\nbra BOTH;\n",
                                 "ld.global.f32 %f1, [%rd1+4];\n")),
            "");
}

TEST(Uncertain, TheFirstPrintIsFound) {
  EXPECT_EQ(firstPrintOf(kernel("ret;")), std::nullopt);
  const Module module = parsed(
      ".extern .func (.param .b32 out) vprintf (.param .b64 a, .param .b64 b);\n"
      ".visible .entry k()\n{\n.reg .b32 %r<3>;\n.reg .b64 %rd<3>;\nmov.u32 %r1, 1;\n{\n"
      ".param .b64 a;\n.param .b64 b;\n.param .b32 out;\nst.param.b64 [a], %rd1;\n"
      "st.param.b64 [b], %rd2;\ncall.uni (out), vprintf, (a, b);\n}\nret;\n}\n");
  ASSERT_NE(module.find("k"), nullptr);
  EXPECT_EQ(firstPrintOf(*module.find("k")), 3U);
}

}  // namespace tilestep::ptx::uncertain_test
