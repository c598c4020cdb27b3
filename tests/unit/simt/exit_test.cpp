// SPDX-License-Identifier: Apache-2.0
// Lanes with only a return ahead of them count as exited, so no barrier waits for them. Compilers
// turn `if (i >= n) return;` into a branch to the return at the kernel's end.
#include <gtest/gtest.h>

#include "machine.h"

namespace tilestep::simt::exit_test {

const char* const kTile = ".shared .align 4 .b8 tile[384];";
/// 40 of the threads continue; the others branch to DONE.
const std::string kLeave = "setp.ge.u32 %p1, %r31, 40; @%p1 bra DONE;\n";
Words results(const std::string& body, uint32_t threads = 96) {
  return ofBlock(body, threads, kTile, {0, 1, 2});
}

Words ofThreads(uint32_t threads, uint32_t live, uint32_t value) {
  Words words(threads, 77);
  for (uint32_t i = 0; i < live; ++i) words[i] = value;
  return words;
}

/// The kinds of the faults of a block of 96 threads.
std::string faults(const std::string& body, const std::string& before = kTile) {
  Machine machine(body, before, 1);
  std::string kinds;
  for (const Fault& fault : machine.buffer("out", Words(96, 77)).block(96).run().faults)
    kinds += fault.kind;
  return kinds;
}

TEST(Exited, BarriersDoNotWait) {
  // Live thread i reads the word of live thread 39 - i.
  const std::string reverse =
      "shl.b32 %r1, %r31, 2; mov.u32 %r3, tile; add.u32 %r1, %r1, %r3; st.shared.u32 [%r1], %r31;\n"
      "bar.sync 0; sub.u32 %r4, 39, %r31; shl.b32 %r4, %r4, 2; add.u32 %r4, %r4, %r3;\n"
      "ld.shared.u32 %r2, [%r4];" +
      kStore;
  Words expected(96, 77);
  for (uint32_t i = 0; i < 40; ++i) expected[i] = 39 - i;
  EXPECT_EQ(results(kLeave + reverse + "DONE:"), expected);
  EXPECT_EQ(results("setp.ge.u32 %p1, %r31, 40; @!%p1 bra WORK; bra DONE;\nWORK: " + reverse +
                    "bra.uni LAST;\nDONE: bra.uni LAST;\nLAST:"),
            expected)
      << "through several branches";
  EXPECT_EQ(results("setp.lt.u32 %p1, %r31, 48; @!%p1 bra DONE; setp.lt.u32 %p2, %r31, 44;\n"
                    "@!%p2 bra DONE; setp.lt.u32 %p3, %r31, 40; @!%p3 bra DONE;\n" +
                    reverse + "DONE:"),
            expected)
      << "one after the other";
}

TEST(Exited, SeveralBarriersInALoop) {
  EXPECT_EQ(results(kLeave +
                    "mov.u32 %r2, 0;\nLOOP: bar.sync 0; add.u32 %r2, %r2, 1; bar.sync 0;\n"
                    "setp.lt.u32 %p2, %r2, 5; @%p2 bra LOOP;" +
                    kStore + "DONE:"),
            ofThreads(96, 40, 5));
}

TEST(Exited, CountsEqualThoseOfImmediateReturns) {
  const auto countsOf = [](const std::string& leave, const std::string& end) {
    Machine machine(
        "setp.ge.u32 %p1, %r31, 40; " + leave + " bar.sync 0; mov.u32 %r2, 1;" + kStore + end, "",
        1);
    machine.buffer("out", Words(96)).block(96).counted();
    return machine.runWell().counters->total;
  };
  const trace::Counters atOnce = countsOf("@%p1 ret;", "");
  const trace::Counters branched = countsOf("@%p1 bra DONE;", "DONE:");
  EXPECT_EQ(branched.barriers, 2u);
  EXPECT_EQ(atOnce.barriers, 2u);
  EXPECT_EQ(branched.threadInstructions, atOnce.threadInstructions + 56) << "the second ret";
  EXPECT_EQ(branched.globalStore.requests, atOnce.globalStore.requests);
}

TEST(Exited, BarrierReductionsCoverRemainingThreads) {
  const std::string ask = "setp.lt.u32 %p2, %r31, 40; setp.ge.u32 %p3, %r31, 40;\n";
  EXPECT_EQ(results(ask + kLeave + "bar.red.popc.u32 %r2, 0, %p2;" + kStore + "DONE:"),
            ofThreads(96, 40, 40));
  EXPECT_EQ(results(ask + kLeave + "barrier.red.and.pred %p4, 0, %p2; selp.u32 %r2, 1, 0, %p4;" +
                    kStore + "DONE:"),
            ofThreads(96, 40, 1));
  EXPECT_EQ(results(ask + kLeave + "bar.red.or.pred %p4, 0, %p3; selp.u32 %r2, 1, 0, %p4;" +
                    kStore + "DONE:"),
            ofThreads(96, 40, 0));
}

TEST(Exited, TheRestOfAWarpCountsAsAWholeWarp) {
  // Two warps meet. The second has 8 live lanes, and the third has exited.
  EXPECT_EQ(results(kLeave + "bar.sync 3, 64; mov.u32 %r2, 6;" + kStore + "DONE:"),
            ofThreads(96, 40, 6));
  EXPECT_EQ(results(kLeave + "barrier.sync 3, 64; mov.u32 %r2, 6;" + kStore + "DONE:"),
            ofThreads(96, 40, 6));
  // A barrier for three warps is never complete.
  EXPECT_EQ(faults(kLeave + "bar.sync 3, 96; mov.u32 %r2, 6;" + kStore + "DONE:"), "deadlock");
}

TEST(Exited, TheRestOfAWarpArrivesAsAWholeWarp) {
  // The second warp's 8 lanes arrive and exit; the first warp waits for them.
  EXPECT_EQ(results(kLeave +
                    "setp.lt.u32 %p2, %r31, 32; @%p2 bra WAIT;\n"
                    "st.shared.u32 [tile], 9; bar.arrive 2, 64; bra DONE;\n"
                    "WAIT: bar.sync 2, 64; ld.shared.u32 %r2, [tile];" +
                    kStore + "DONE:"),
            ofThreads(96, 32, 9));
  // Half of the warp that arrives has other work first, and never arrives.
  EXPECT_EQ(results("setp.lt.u32 %p2, %r31, 32; @%p2 bra WAIT; setp.lt.u32 %p1, %r31, 40;\n"
                    "@%p1 bra ARRIVE; st.shared.u32 [tile+4], 1; bra DONE;\n"
                    "ARRIVE: barrier.arrive 2, 64; bra DONE;\n"
                    "WAIT: bar.sync 2, 64; mov.u32 %r2, 3;" +
                        kStore + "DONE:",
                    64),
            ofThreads(64, 32, 3));
}

TEST(Exited, OtherLanesOfTheWarpDoNotWait) {
  EXPECT_EQ(results(kLeave +
                    "bar.warp.sync -1; vote.sync.ballot.b32 %r3, 1, -1;\n"
                    "shfl.sync.idx.b32 %r4, %r31, 7, 31, -1; and.b32 %r4, %r4, 31;\n"
                    "popc.b32 %r2, %r3; mad.lo.u32 %r2, %r4, 100, %r2;" +
                    kStore + "DONE:"),
            [] {
              Words words = ofThreads(96, 32, 732);
              for (uint32_t i = 32; i < 40; ++i) words[i] = 708;
              return words;
            }());
}

TEST(Exited, CountsThroughDeviceFunctionsThatOnlyReturn) {
  const std::string early =
      std::string(kTile) +
      ".func early() { .reg .b32 %r<4>; .reg .pred %p<4>; mov.u32 %r1, %tid.x;\n"
      "setp.ge.u32 %p1, %r1, 40; @%p1 bra DONE; bar.sync 0; st.shared.u32 [tile], 5;\nDONE: ret; "
      "}\n"
      ".func outer() { call.uni early, (); ret; }\n";
  EXPECT_EQ(faults("call.uni early, ();", early), "");
  EXPECT_EQ(faults("call.uni outer, ();", early), "") << "two nested functions";
  // The kernel has more work after the call.
  EXPECT_EQ(faults("call.uni outer, (); mov.u32 %r2, 4;" + kStore, early), "deadlock");
  EXPECT_EQ(faults("call.uni early, (); add.u32 %r2, %r2, 1;", early), "deadlock");
}

TEST(Exited, CountsThroughAFunctionCalledByAddress) {
  const std::string early =
      ".func early() { .reg .b32 %r<4>; .reg .pred %p<4>; mov.u32 %r1, %tid.x;\n"
      "setp.ge.u32 %p1, %r1, 40; @%p1 bra DONE; bar.sync 0;\nDONE: ret; }\n";
  EXPECT_EQ(faults("mov.u64 %rd1, early; prototype: .callprototype _ ();\n"
                   "call %rd1, (), prototype;",
                   early),
            "");
}

}  // namespace tilestep::simt::exit_test
