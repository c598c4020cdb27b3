// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp that wait for each other, barriers of every kind, and reports of deadlocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "machine.h"
#include "support/results.h"

namespace tilestep::simt::scheduling_test {

const char* const kFlag = ".shared .align 4 .b8 flag[4]; .shared .align 4 .b8 lock[4];";
/// The final %r2 of each thread of one block.
Words results(const std::string& body, uint32_t threads = 32, uint64_t order = 0) {
  return ofBlock(body + kStore, threads, kFlag, {order});
}

TEST(Scheduling, LanesMayWaitForTheOtherSideOfTheirBranch) {
  // The flag is set by lane 0 or by the other lanes, so either side must be able to run first.
  for (const char* waits : {"eq", "ne"}) {
    EXPECT_EQ(results(std::string("setp.") + waits +
                      ".u32 %p1, %r31, 0; @%p1 bra WAIT;\n"
                      "st.volatile.shared.u32 [flag], 5; bra DONE;\n"
                      "WAIT: ld.volatile.shared.u32 %r1, [flag]; setp.eq.u32 %p2, %r1, 0;\n"
                      "@%p2 bra WAIT;\nDONE: mov.u32 %r2, 9;"),
              Words(32, 9))
        << waits;
  }
}

TEST(Scheduling, LanesMayWaitForCodeAfterTheirReconvergencePoint) {
  // Lane 3 spins until another lane has passed their reconvergence point.
  EXPECT_EQ(results("setp.ne.u32 %p1, %r31, 3; @%p1 bra MEET;\n"
                    "WAIT: ld.volatile.shared.u32 %r1, [flag]; setp.eq.u32 %p2, %r1, 0;\n"
                    "@%p2 bra WAIT;\nMEET: st.volatile.shared.u32 [flag], 1; mov.u32 %r2, %r31;"),
            eachLane([](uint32_t i) { return i; }));
}

TEST(Scheduling, EveryLaneAcquiresASpinLock) {
  for (const uint64_t order : {0, 1, 2}) {
    const Words out = results(
        "TAKE: atom.shared.cas.b32 %r1, [lock], 0, 1; setp.ne.u32 %p1, %r1, 0; @%p1 bra TAKE;\n"
        "ld.volatile.shared.u32 %r3, [flag]; add.u32 %r2, %r3, 1;\n"
        "st.volatile.shared.u32 [flag], %r2; membar.cta; atom.shared.exch.b32 %r4, [lock], 0;\n",
        96, order);
    Words sorted = out;
    std::sort(sorted.begin(), sorted.end());
    for (uint32_t i = 0; i < 96; ++i) EXPECT_EQ(sorted[i], i + 1);
  }
}

TEST(Scheduling, LanesThatRanAheadReconvergeAtTheNextBarrier) {
  // The lanes diverge in the spin loop and reconverge at the barrier, so the vote includes all
  // lanes.
  EXPECT_EQ(results("setp.ne.u32 %p1, %r31, 3; @%p1 bra MEET;\n"
                    "WAIT: ld.volatile.shared.u32 %r1, [flag]; setp.eq.u32 %p2, %r1, 0;\n"
                    "@%p2 bra WAIT;\nMEET: st.volatile.shared.u32 [flag], 1; bar.sync 0;\n"
                    "activemask.b32 %r2;"),
            Words(32, ~0u));
}

TEST(Scheduling, LanesFromSeveralBranchesRunASharedBlockTogether) {
  // if (lane >= 8 && lane >= 16) … else …: both conditions lead to one else-block.
  EXPECT_EQ(results("setp.lt.u32 %p1, %r31, 8; @%p1 bra ELSE; setp.lt.u32 %p2, %r31, 16;\n"
                    "@%p2 bra ELSE; activemask.b32 %r2; bra END;\n"
                    "ELSE: activemask.b32 %r2;\nEND:"),
            eachLane([](uint32_t i) { return i < 16 ? 0xffffU : 0xffff0000U; }));
}

TEST(Scheduling, ReconvergedLanesJoinLanesWaitingAtTheirBlock) {
  // if (low) { if (odd) goto WORK; goto END; } else { eight ? X : Y; } WORK: …; END: The lanes of X
  // and Y reconverge at WORK, where the odd lanes wait.
  EXPECT_EQ(results("mov.u32 %r2, 0; and.b32 %r3, %r31, 1; setp.eq.u32 %p2, %r3, 1;\n"
                    "setp.ge.u32 %p1, %r31, 16; @%p1 bra HIGH; @%p2 bra WORK; bra END;\n"
                    "HIGH: setp.lt.u32 %p3, %r31, 24; @%p3 bra Y; mov.u32 %r4, 1; bra WORK;\n"
                    "Y: mov.u32 %r4, 2;\nWORK: activemask.b32 %r2;\nEND:"),
            eachLane([](uint32_t i) { return i >= 16 || i % 2 == 1 ? 0xffffaaaaU : 0U; }));
}

TEST(Scheduling, LanesReconvergeAfterTakingTurns) {
  // Both sides run a loop with atomics, either a short one or one so long that they take turns.
  // Then three branches lead to one else-block.
  for (const char* trips : {"3", "91"}) {
    const std::string loop =
        " atom.shared.add.u32 %r4, [flag], 1; add.u32 %r3, %r3, 1;\n"
        "setp.lt.u32 %p2, %r3, " +
        std::string(trips) + "; @%p2 bra ";
    EXPECT_EQ(results("mov.u32 %r3, 0; setp.lt.u32 %p1, %r31, 16; @%p1 bra LOW;\nHIGH:" + loop +
                      "HIGH; bra MEET;\nLOW:" + loop +
                      "LOW;\nMEET: setp.lt.u32 %p1, %r31, 8; @%p1 bra ELSE;\n"
                      "setp.lt.u32 %p1, %r31, 16; @%p1 bra ELSE; setp.lt.u32 %p1, %r31, 24;\n"
                      "@%p1 bra ELSE; activemask.b32 %r2; bra END;\n"
                      "ELSE: activemask.b32 %r2;\nEND:"),
              eachLane([](uint32_t i) { return i < 24 ? 0xffffffU : 0xff000000U; }))
        << trips;
  }
}

TEST(Scheduling, LanesThatSkipPartOfALoopReconvergeAtItsEnd) {
  // In each iteration, odd lanes reach LATCH early and even lanes late, and they run it together.
  EXPECT_EQ(results("mov.u32 %r3, 0; mov.u32 %r2, 0; and.b32 %r4, %r31, 1;\n"
                    "LOOP: setp.eq.u32 %p1, %r4, %r3; @%p1 bra LATCH; setp.eq.u32 %p2, %r31, 5;\n"
                    "@%p2 bra LATCH; mov.u32 %r5, 7;\n"
                    "LATCH: activemask.b32 %r6; and.b32 %r6, %r6, 1; add.u32 %r2, %r2, %r6;\n"
                    "add.u32 %r3, %r3, 1; setp.lt.u32 %p3, %r3, 4; @%p3 bra LOOP;"),
            Words(32, 4));
}

TEST(Scheduling, LanesInOrdinaryLoopsStayTogether) {
  // The lanes have many and different iteration counts, but no lane runs ahead.
  Machine machine(
      "mov.u32 %r3, 0; mul.lo.u32 %r4, %r31, 1000;\n"
      "LOOP: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r4; @%p1 bra LOOP;\n"
      "activemask.b32 %r2;" +
          kStore,
      "", 1);
  machine.buffer("out", Words(32)).counted();
  const GridResult result = machine.runWell();
  EXPECT_EQ(machine.values<uint32_t>(0), Words(32, ~0u));
  EXPECT_EQ(result.counters->total.divergentBranches, 31u);
}

TEST(Together, ShufflesWaitForTheLanesInTheirMask) {
  // Diverged lanes reach the same shuffle from both sides of a branch.
  EXPECT_EQ(results("setp.lt.u32 %p1, %r31, 16; mov.u32 %r3, 0;\n"
                    "@%p1 bra LOW; add.u32 %r3, %r31, 500; bra MIDDLE;\n"
                    "LOW: add.u32 %r3, %r31, 100;\n"
                    "MIDDLE: shfl.sync.bfly.b32 %r2, %r3, 16, 31, -1;"),
            eachLane([](uint32_t i) { return i < 16 ? 516 + i : 84 + i; }));
}

TEST(Together, LanesDivergeInALoop) {
  // Lanes leave the outer loop in different iterations. Lanes that wait for the others at
  // bar.warp.sync see what the others wrote.
  EXPECT_EQ(results("mov.u32 %r2, 0; setp.lt.u32 %p1, %r31, 16; @%p1 bra LOW;\n"
                    "st.shared.u32 [flag], 77; bar.warp.sync -1; mov.u32 %r2, 1; bra DONE;\n"
                    "LOW: bar.warp.sync -1; ld.shared.u32 %r2, [flag];\nDONE:"),
            eachLane([](uint32_t i) { return i < 16 ? 77u : 1u; }));
}

TEST(Together, DisjointMasksDoNotWaitForEachOther) {
  EXPECT_EQ(results("setp.lt.u32 %p1, %r31, 16; selp.b32 %r3, 0xffff, 0xffff0000, %p1;\n"
                    "@%p1 bra LOW; vote.sync.ballot.b32 %r2, 1, %r3; bra DONE;\n"
                    "LOW: vote.sync.ballot.b32 %r2, 1, %r3;\nDONE:"),
            eachLane([](uint32_t i) { return i < 16 ? 0xffffu : 0xffff0000u; }));
}

TEST(Together, NoLaneWaitsForExitedLanes) {
  EXPECT_EQ(results("setp.lt.u32 %p1, %r31, 4; @%p1 ret; bar.warp.sync -1;\n"
                    "vote.sync.ballot.b32 %r2, 1, -1;"),
            eachLane([](uint32_t i) { return i < 4 ? 77u : ~15u; }));
}

TEST(Together, OperationsMayHaveAGuard) {
  EXPECT_EQ(results("mov.u32 %r2, 4; setp.lt.u32 %p1, %r31, 8;\n"
                    "@%p1 shfl.sync.idx.b32 %r2, %r31, 7, 31, 0xff;"),
            eachLane([](uint32_t i) { return i < 8 ? 7u : 4u; }));
}

TEST(Together, WaitingForLanesThatNeverArriveIsADeadlock) {
  Machine machine("setp.lt.u32 %p1, %r31, 4; @%p1 bra DONE; bar.warp.sync -1;\nDONE: bar.sync 0;",
                  "", 0);
  EXPECT_TRUE(faulted(machine.run(), "deadlock", "threads 4–31 wait for threads 0–3"));
}

TEST(Together, TheMessageUsesSingularAndPlural) {
  Machine machine(
      "setp.eq.u32 %p1, %r31, 0; @%p1 bra ONE; bar.warp.sync -1; ret;\n"
      "ONE: bar.sync 1, 64; ret;",
      "", 0);
  const Fault fault = onlyFault(machine.run());
  for (const char* part :
       {"thread 0 waits at barrier 1 for 64 threads", "threads 1–31 wait for thread 0"})
    EXPECT_TRUE(has(fault.message, part));
}

TEST(Barrier, TheUnalignedFormAllowsDivergedLanes) {
  EXPECT_EQ(results("setp.lt.u32 %p1, %r31, 20; @%p1 bra LOW; barrier.sync 0; mov.u32 %r2, 1; bra "
                    "DONE;\nLOW: barrier.sync 0; mov.u32 %r2, 2;\nDONE:"),
            eachLane([](uint32_t i) { return i < 20 ? 2u : 1u; }));
}

TEST(Barrier, ReductionsReturnTheResultToAllThreads) {
  // The predicate is true in 40 of 64 threads.
  const std::string yes = "setp.lt.u32 %p1, %r31, 40; ";
  EXPECT_EQ(results(yes + "bar.red.popc.u32 %r2, 0, %p1;", 64), Words(64, 40));
  EXPECT_EQ(results(yes + "bar.red.and.pred %p2, 0, %p1; selp.u32 %r2, 1, 0, %p2;", 64),
            Words(64, 0));
  EXPECT_EQ(results(yes + "bar.red.or.pred %p2, 0, %p1; selp.u32 %r2, 1, 0, %p2;", 64),
            Words(64, 1));
  EXPECT_EQ(results(yes + "barrier.red.or.pred %p2, 1, 64, !%p1; selp.u32 %r2, 1, 0, %p2;", 64),
            Words(64, 1));
  EXPECT_EQ(results("setp.lt.u32 %p1, %r31, 99; bar.red.and.pred %p2, 0, %p1;\n"
                    "selp.u32 %r2, 1, 0, %p2;",
                    64),
            Words(64, 1));
}

TEST(Barrier, ArrivingDoesNotWait) {
  // Warp 1 produces a value and continues; warp 0 waits for the value.
  for (const uint64_t order : {0, 1, 2, 3}) {
    EXPECT_EQ(results("setp.lt.u32 %p1, %r31, 32; @%p1 bra CONSUME;\n"
                      "st.shared.u32 [flag], 42; bar.arrive 3, 64; mov.u32 %r2, 1; bra DONE;\n"
                      "CONSUME: bar.sync 3, 64; ld.shared.u32 %r2, [flag];\nDONE:",
                      64, order)[5],
              42u);
  }
}

TEST(Barrier, MayHaveAGuardThatIsUniformInEachWarp) {
  EXPECT_EQ(results("mov.u32 %r2, 3; setp.lt.u32 %p1, %r31, 32; @%p1 bar.sync 1, 32;", 64),
            Words(64, 3));
}

TEST(Barrier, ThreadCountsMustBeMultiplesOf32) {
  const auto fault = [](const std::string& barrier, uint32_t threads) {
    Machine machine(barrier, "", 0);
    machine.block(threads);
    const auto faults = machine.run().faults;
    return faults.empty() ? std::string() : faults[0].kind + ": " + faults[0].message;
  };
  EXPECT_EQ(fault("bar.sync 1, 31;", 32),
            "wrong-barrier: A barrier for 31 threads; the number must be a positive multiple of 32 "
            "(thread (0, 0, 0) of block (0, 0, 0)).");
  EXPECT_NE(fault("bar.sync 1, 0;", 32), "");
  EXPECT_NE(fault("mov.u32 %r1, 48; barrier.sync 1, %r1;", 64), "");
  EXPECT_NE(fault("bar.arrive 1, 33;", 64), "");
  EXPECT_NE(fault("bar.red.popc.u32 %r2, 1, 31, %p1;", 32), "");
  EXPECT_EQ(fault("bar.sync 1, 32;", 32), "");
  EXPECT_EQ(fault("bar.sync 1, 32;", 20), "");
}

TEST(Barrier, TheMessageNamesTheWaitingThreadsAndBarriers) {
  Machine machine(
      "setp.lt.u32 %p1, %r31, 32; @%p1 bra FIRST; setp.lt.u32 %p2, %r31, 64; @%p2 ret;\n"
      "bar.sync 2; ret;\nFIRST: bar.sync 1, 96; ret;",
      "", 0);
  machine.block(96);
  const Fault fault = onlyFault(machine.run());
  EXPECT_EQ(fault.kind, "deadlock");
  EXPECT_TRUE(has(fault.message, "threads 0–31 wait at barrier 1 for 96 threads"));
  EXPECT_TRUE(has(fault.message, "threads 64–95 wait at barrier 2"));
  EXPECT_TRUE(has(fault.message, "threads 32–63 left"));
}

TEST(Order, ChangesWhenWarpsTakeTurns) {
  // Warps add to one word without atomics, so the lost updates depend on the order.
  std::set<uint32_t> sums;
  for (const uint64_t order : {0, 1, 2, 3, 4, 5}) {
    Machine machine(
        "mov.u32 %r3, 0;\nLOOP: ld.volatile.shared.u32 %r1, [flag]; bra ON;\nON:\n"
        "add.u32 %r1, %r1, 1; st.volatile.shared.u32 [flag], %r1; add.u32 %r3, %r3, 1;\n"
        "setp.lt.u32 %p1, %r3, 50; @%p1 bra LOOP; bar.sync 0; ld.shared.u32 %r2, [flag];" +
            kStore,
        kFlag, 1);
    machine.buffer("out", Words(128)).block(128).order(order).runWell();
    sums.insert(machine.values<uint32_t>(0)[0]);
  }
  EXPECT_GT(sums.size(), 2u);
}

/// Each block increments P[0], waits until `blocks` blocks have done so, and writes 1 to P[1 +
/// block].
Machine gridBarrier(uint32_t grid, uint32_t blocks, uint32_t threads) {
  Machine machine(
      ".loc 1 3 0\nmov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r31, 0; @%p1 bra WAIT;\n"
      "atom.global.add.u32 %r2, [%rd30], 1;\n.loc 1 4 0\n"
      "LOOP: ld.volatile.global.u32 %r2, [%rd30]; setp.lt.u32 %p2, %r2, " +
          std::to_string(blocks) +
          "; @%p2 bra LOOP;\nWAIT: bar.sync 0; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %rd1, "
          "%rd30;"
          "mov.u32 %r3, 1; st.global.u32 [%rd1+4], %r3;",
      ".file 1 \"a.cu\"\n", 1);
  machine.buffer("P", Words(1 + grid)).grid(grid).block(threads);
  return machine;
}

TEST(Blocks, MayWaitForEachOther) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    for (const uint64_t order : {0, 7}) {
      Machine machine = gridBarrier(200, 200, 96);
      machine.threads(threads).order(order).runWell();
      const Words words = machine.values<uint32_t>(0);
      EXPECT_EQ(words[0], 200u);
      EXPECT_EQ(std::count(words.begin() + 1, words.end(), 1u), 200) << threads;
    }
  }
}

TEST(Blocks, AGridThatIsTooLargeForItsBarrierDeadlocks) {
  // With 132 multiprocessors of 2048 threads, 264 blocks of 1024 threads are resident.
  gridBarrier(264, 264, 1024).runWell();
  Machine machine = gridBarrier(265, 265, 1024);
  machine.threads(2);
  const Fault fault = onlyFault(machine.run());
  EXPECT_EQ(fault.kind, "deadlock");
  EXPECT_EQ(fault.line, 4u);
  EXPECT_TRUE(has(fault.message,
                  "The grid has 265 blocks, and 264 of this shape can be resident at once on"));
  machine.request.launch.cooperative = true;
  const auto refused = runGrid(machine.request, {});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(has(toString(refused.error()), "a cooperative launch needs them all"));
}

TEST(Timeout, TheMessageNamesThePosition) {
  Machine machine(
      ".loc 1 17 0\nLOOP: ld.volatile.global.u32 %r1, [%rd30];\n"
      "add.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra LOOP;",
      ".file 1 \"a.cu\"\n", 1);
  machine.buffer("flag", Words(1)).timeout(0.05);
  const Fault fault = onlyFault(machine.run());
  EXPECT_EQ(fault.kind, "timeout");
  EXPECT_EQ(fault.line, 17u);
  EXPECT_FALSE(has(fault.message, "before it began"));
}

TEST(Timeout, IncludesTimeBeforeTheLaunch) {
  Machine machine(
      "LOOP: ld.volatile.global.u32 %r1, [%rd30];\n"
      "add.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r1, 0; @%p1 bra LOOP;",
      "", 1);
  machine.buffer("flag", Words(1)).timeout(3600);
  machine.request.spentSeconds = 3599.95;
  EXPECT_TRUE(faulted(machine.run(), "timeout", "of that before it began)"));
}

TEST(BlockAlone, WaitingForAnotherBlockIsAnError) {
  // Block 0 waits for a write of block 1, which does not wait.
  Machine machine(
      "mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 0; @%p1 bra WAIT;\n"
      "st.volatile.global.u32 [%rd30], 1; bra DONE;\n"
      "WAIT: ld.volatile.global.u32 %r2, [%rd30]; setp.eq.u32 %p2, %r2, 0; @%p2 bra WAIT;\nDONE:",
      "", 1);
  machine.buffer("flag", Words(1))
      .grid(2)
      .traced(TraceOptions{.block = {0, 0, 0}, .onlyThisBlock = true, .alone = true});
  EXPECT_TRUE(fails(runGrid(machine.request, {}), "waits for other blocks"));
  machine.request.trace->block = {1, 0, 0};
  EXPECT_TRUE(runGrid(machine.request, {}));
  machine.traced(TraceOptions{.block = {0, 0, 0}, .onlyThisBlock = true});
  EXPECT_TRUE(runGrid(machine.request, {})) << "others run while it waits";
}

}  // namespace tilestep::simt::scheduling_test
