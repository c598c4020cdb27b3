// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "machine.h"
#include "support/results.h"

namespace tilestep::simt::control_test {

TEST(Control, EachLaneHasItsOwnIterationCount) {
  EXPECT_EQ(ofWords("mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
                    "LOOP: setp.ge.u32 %p1, %r3, %r1; @%p1 bra DONE;\n"
                    "add.u32 %r3, %r3, 1; add.u32 %r2, %r2, %r3; bra LOOP;\nDONE:",
                    lanes()),
            eachLane([](uint32_t n) { return n * (n + 1) / 2; }));
}

TEST(Control, NestedIfsReconverge) {
  EXPECT_EQ(ofWords("mov.u32 %r2, 100; and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0;\n"
                    "setp.lt.u32 %p2, %r1, 8;\n"
                    "@%p1 bra EVEN;\nadd.u32 %r2, %r2, 1; @!%p2 bra BIGODD; add.u32 %r2, %r2, 10;"
                    "bra JOIN;\nBIGODD: add.u32 %r2, %r2, 20; bra JOIN;\n"
                    "EVEN: @%p2 bra SMALLEVEN; add.u32 %r2, %r2, 2; bra JOIN;\n"
                    "SMALLEVEN: add.u32 %r2, %r2, 3;\nJOIN: add.u32 %r2, %r2, 1000;",
                    lanes()),
            eachLane([](uint32_t n) {
              return 1100 + (n % 2 ? 1 + (n < 8 ? 10 : 20) : (n < 8 ? 3 : 2));
            }));
}

TEST(Control, LoopsInLoopsWithBreaks) {
  // for (i = 0; i < n; ++i) for (j = 0;; ++j) { if (j > i) break; if (i + j == 20) goto out; ++c; }
  EXPECT_EQ(ofWords("mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
                    "OUTER: setp.ge.u32 %p1, %r3, %r1; @%p1 bra OUT; mov.u32 %r4, 0;\n"
                    "INNER: setp.gt.u32 %p2, %r4, %r3; @%p2 bra NEXT;\n"
                    "add.u32 %r5, %r3, %r4; setp.eq.u32 %p3, %r5, 20; @%p3 bra OUT;\n"
                    "add.u32 %r2, %r2, 1; add.u32 %r4, %r4, 1; bra INNER;\n"
                    "NEXT: add.u32 %r3, %r3, 1; bra OUTER;\nOUT:",
                    lanes()),
            eachLane([](uint32_t n) {
              uint32_t c = 0;
              for (uint32_t i = 0; i < n; ++i) {
                for (uint32_t j = 0; j <= i; ++j) {
                  if (i + j == 20) return c;
                  ++c;
                }
              }
              return c;
            }));
}

TEST(Control, OtherLanesContinueAfterEarlyExits) {
  for (const std::string leave : {"@%p1 ret;", "@%p1 exit;", "@!%p1 bra STAY; exit;\nSTAY:"}) {
    EXPECT_EQ(
        ofBlock("setp.lt.u32 %p1, %r31, 5;\n" + leave + "mov.u32 %r2, %r31;" + kStore, 32, ""),
        eachLane([](uint32_t n) { return n < 5 ? 77 : n; }))
        << leave;
  }
}

TEST(Control, GuardsApplyToAllInstructions) {
  EXPECT_EQ(ofWords("mov.u32 %r2, 9; setp.gt.u32 %p1, %r1, 15; @%p1 add.u32 %r2, %r1, 1;\n"
                    "@!%p1 mov.b64 {%r2, %r3}, 0x500000004; @%p1 cvt.u32.u8 %r2, %r2;",
                    lanes()),
            eachLane([](uint32_t n) { return n > 15 ? n + 1 : 4; }));
  // The guard's own register is a destination.
  EXPECT_EQ(ofWords("mov.u32 %r2, 0; setp.lt.u32 %p1, %r1, 4; setp.lt.u32 %p2, %r1, 0;\n"
                    "@%p1 setp.lt.u32 %p1|%p2, %r1, 2; @%p1 add.u32 %r2, %r2, 1;\n"
                    "@%p2 add.u32 %r2, %r2, 2;",
                    {0, 1, 2, 3, 4, 5}),
            (Words{1, 1, 2, 2, 0, 0}));
}

TEST(Control, GuardedMemoryLeavesOtherLanesAlone) {
  Machine machine(
      "setp.lt.u32 %p1, %r31, 3; mul.wide.u32 %rd1, %r31, 4;\n"
      "add.s64 %rd2, %rd30, %rd1; add.s64 %rd3, %rd31, %rd1; mov.u32 %r1, 5;\n"
      "@%p1 ld.global.u32 %r1, [%rd2]; @!%p1 st.global.u32 [%rd3+0], %r1;\n"
      "@%p1 st.global.u32 [%rd3], %r1;");
  machine.buffer("in", Words{1, 2, 3}).buffer("out", Words(32)).runWell();
  EXPECT_EQ(machine.values<uint32_t>(1), eachLane([](uint32_t n) { return n < 3 ? n + 1 : 5; }));
}

TEST(Barrier, OrdersTheWarpsOfABlock) {
  Words reversed;
  for (uint32_t i = 0; i < 200; ++i) reversed.push_back(199 - i);
  EXPECT_EQ(ofBlock("mov.u32 %r1, tile; shl.b32 %r3, %r31, 2; add.u32 %r3, %r1, %r3;\n"
                    "st.shared.u32 [%r3], %r31; bar.sync 0; sub.u32 %r4, 199, %r31;\n"
                    "shl.b32 %r5, %r4, 2; add.u32 %r5, %r1, %r5; ld.shared.u32 %r2, [%r5];" +
                        kStore,
                    200, ".shared .align 4 .b8 tile[1024];", {0, 1, 2, 3}),
            reversed);
}

TEST(Barrier, ExitedWarpsNoLongerCount) {
  Machine machine("setp.ge.u32 %p1, %r31, 32; @%p1 ret; bar.sync 0; bar.sync 0;", "", 0);
  machine.block(96).counted();
  EXPECT_EQ(machine.runWell().counters->total.barriers, 2u);
}

TEST(Barrier, NumberedBarriersWithCountsAreIndependent) {
  // Warps 0 and 1 meet at barrier 1, warps 2 and 3 at barrier 2, then all warps at barrier 0.
  Machine machine(
      "setp.lt.u32 %p1, %r31, 64; @!%p1 bra OTHERS; bar.sync 1, 64; bra JOIN;\n"
      "OTHERS: barrier.sync 2, 64;\nJOIN: bar.sync 0;",
      "", 0);
  machine.block(128).counted();
  EXPECT_EQ(machine.runWell().counters->total.barriers, 8u);
}

TEST(Barrier, InDivergentCodeIsAFault) {
  // The lanes that skip the barrier have work ahead of them: an addition, a loop, or a trap.
  for (const char* work : {"add.u32 %r1, %r1, 1;", "bra SKIP;", "trap;"}) {
    Machine machine(
        "setp.lt.u32 %p1, %r31, 5; @!%p1 bra SKIP; bar.sync 0;\nSKIP: " + std::string(work), "", 0);
    const Fault fault = onlyFault(machine.run());
    EXPECT_EQ(fault.kind, "deadlock") << work;
    EXPECT_EQ(fault.thread, (Dim3{5, 0, 0})) << work;
    EXPECT_TRUE(has(fault.message, "divergent")) << work;
  }
}

TEST(Control, TheInstructionLimitDoesNotDependOnTheHost) {
  const auto limited = [](const std::string& body, uint64_t most) {
    Machine machine(body, "", 0);
    machine.block(64).timeout(1e6);
    machine.request.mostInstructions = most;
    return machine.run();
  };
  EXPECT_TRUE(faulted(limited("LOOP: bra LOOP;", 100'000), "instruction-limit", "100000"));
  EXPECT_TRUE(faulted(limited("LOOP: bar.sync 0; bra LOOP;", 1'000), "instruction-limit"));
  EXPECT_TRUE(limited("mov.u32 %r1, 1; ret;", 1'000).faults.empty());
}

TEST(Control, ACancelledRunIsAnError) {
  Machine machine("LOOP: bra LOOP;", "", 0);
  EXPECT_TRUE(fails(runGrid(machine.request, [] { return true; }), ErrorKind::work, ""));
}

TEST(Control, RegistersStartAsZeroInEveryBlock) {
  // Block 1 adds to a register that it has not written. %r2 is written under a guard or on one
  // path.
  Machine machine(
      "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r31, 2; @%p1 add.u32 %r2, %r2, 10;\n"
      "@%p1 bra SKIP; add.u32 %r3, %r31, 0;\nSKIP: add.u32 %r1, %r1, %r2;\n"
      "add.u32 %r1, %r1, %r3; mov.u32 %r4, %ctaid.x; mad.lo.u32 %r4, %r4, 4, %r31;\n"
      "mul.wide.u32 %rd1, %r4, 4; add.s64 %rd2, %rd30, %rd1;\n"
      "st.global.u32 [%rd2], %r1;",
      "", 1);
  machine.buffer("out", Words(12)).block(4).grid(3).runWell();
  EXPECT_EQ(machine.values<uint32_t>(0), (Words{11, 11, 3, 4, 11, 11, 3, 4, 11, 11, 3, 4}));
}

TEST(IndexedBranches, AnIndexPastTheTableIsAFault) {
  const auto branch = [](const std::string& index) {
    Machine machine("table: .branchtargets FIRST, LAST;\n" + index +
                        "brx.idx %r1, table;\nFIRST: mov.u32 %r2, 1;\nLAST:",
                    "", 0);
    const auto faults = machine.run().faults;
    return faults.empty() ? std::string() : faults[0].kind + ": " + faults[0].message;
  };
  EXPECT_EQ(branch("and.b32 %r1, %r31, 1;\n"), "");
  EXPECT_EQ(branch("setp.eq.u32 %p1, %r31, 7; selp.u32 %r1, 2, 0, %p1;\n"),
            "out-of-bounds: An indexed branch (brx.idx) past the end of its table, which has 2 "
            "labels (thread (7, 0, 0) of block (0, 0, 0)).");
}

}  // namespace tilestep::simt::control_test
