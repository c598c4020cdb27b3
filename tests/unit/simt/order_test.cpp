// SPDX-License-Identifier: Apache-2.0
// Other orders of warps and blocks expose lost updates between two accesses, and code that fails if
// some threads run much later than others.
#include <gtest/gtest.h>

#include "machine.h"

namespace tilestep::simt::order_test {

constexpr uint64_t kOrders = 20;

/// The number of orders in which P[0] differs from its usual value. Blocks have four warps.
size_t differing(const std::string& body, uint32_t blocks = 1, uint64_t orders = kOrders) {
  const auto result = [&](uint64_t order) {
    Machine machine("setp.ne.u32 %p1, %r31, 0; and.b32 %r29, %r31, 31;\n" + body, "", 1);
    machine.buffer("P", Words(64)).block(128).grid(blocks).order(order).runWell();
    return machine.values<uint32_t>(0)[0];
  };
  const uint32_t usual = result(0);
  size_t count = 0;
  for (uint64_t order = 1; order <= orders; ++order) count += result(order) != usual ? 1 : 0;
  return count;
}

const char* const kLeaders = "setp.ne.u32 %p2, %r29, 0; @%p2 bra END;\n";

TEST(OtherOrders, LoseUpdatesBetweenTwoAtomicOperations) {
  const std::string lost =
      "atom.global.or.b32 %r1, [%rd30], 0; add.u32 %r2, %r1, 1;\n"
      "atom.global.exch.b32 %r3, [%rd30], %r2;\nEND:";
  EXPECT_GT(differing(kLeaders + lost), kOrders / 4);
  EXPECT_EQ(differing(std::string(kLeaders) + "red.global.add.u32 [%rd30], 1;\nEND:"), 0u);
}

TEST(OtherOrders, LoseUpdatesOfDifferentBlocks) {
  const std::string lost =
      "@%p1 bra END; atom.global.or.b32 %r1, [%rd30], 0; add.u32 %r2, %r1, 1;\n"
      "atom.global.exch.b32 %r3, [%rd30], %r2;\nEND:";
  EXPECT_GT(differing(lost, 8), kOrders / 4);
  EXPECT_EQ(differing("@%p1 bra END; red.global.add.u32 [%rd30], 1;\nEND:", 8), 0u);
}

TEST(OtherOrders, LetAWarpRunMuchLaterThanTheOthers) {
  // Warp 0 sets the word to which the other warps add after a long computation.
  const std::string late =
      "setp.lt.u32 %p3, %r31, 32; @%p3 bra SET; mov.u32 %r5, 0;\n"
      "LOOP: add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, 300; @%p4 bra LOOP;\n" +
      std::string(kLeaders) +
      "red.global.add.u32 [%rd30], 1; bra END;\n"
      "SET: @!%p1 atom.global.exch.b32 %r3, [%rd30], 100;\nEND:";
  EXPECT_GT(differing(late), 0u);
}

TEST(OtherOrders, LetEitherSideOfABranchRunFirst) {
  // One half of the lanes sets a word that the other half reads.
  const std::string body =
      "setp.ge.u32 %p3, %r31, 32; @%p3 bra END; setp.lt.u32 %p4, %r29, 16; @%p4 bra SET;\n"
      "atom.global.add.u32 %r1, [%rd30+4], 0; setp.eq.u32 %p5, %r29, 16;\n"
      "@%p5 st.global.u32 [%rd30], %r1; bra END;\n"
      "SET: atom.global.exch.b32 %r1, [%rd30+4], 5;\nEND:";
  EXPECT_GT(differing(body), 0u);
  EXPECT_LT(differing(body), kOrders);
}

TEST(OtherOrders, LetLanesOfAWarpDiverge) {
  // Each lane adds, and then reads its neighbour's result without __syncwarp(). Lane 0 stores it.
  const std::string body =
      "setp.ge.u32 %p3, %r31, 32; @%p3 bra END; mul.wide.u32 %rd2, %r29, 4;\n"
      "add.s64 %rd2, %rd30, %rd2; xor.b32 %r4, %r29, 1; mul.wide.u32 %rd3, %r4, 4;\n"
      "add.s64 %rd3, %rd30, %rd3; red.global.add.u32 [%rd2+16], 5;\n"
      "atom.global.add.u32 %r1, [%rd3+16], 0; @!%p1 st.global.u32 [%rd30], %r1;\nEND:";
  EXPECT_GT(differing(body, 1, 200), 0u);
  const std::string read = "atom";
  EXPECT_EQ(differing(std::string(body).insert(body.find(read), "bar.warp.sync -1;\n"), 1, 200),
            0u);
}

TEST(OtherOrders, MayHaveOnlyAFewBlocksResident) {
  // Each block increments a counter, and waits until preceding blocks, or all blocks, have done so.
  const auto waiting = [](const std::string& count) {
    return "@%p1 bra END; mov.u32 %r9, %ctaid.x; red.global.add.u32 [%rd30], 1;\n"
           "WAIT: ld.volatile.global.u32 %r1, [%rd30]; setp.lt.u32 %p3, %r1, " +
           count + "; @%p3 bra WAIT;\nEND:";
  };
  const auto kindIn = [](const std::string& body, uint64_t order) {
    Machine machine("setp.ne.u32 %p1, %r31, 0;\n" + body, "", 1);
    machine.buffer("P", Words(4)).grid(9).order(order);
    const GridResult result = machine.run();
    return result.faults.empty() ? std::string() : result.faults[0].kind;
  };
  for (uint64_t order = 1; order <= kOrders; ++order) {
    EXPECT_EQ(kindIn(waiting("9"), order), "") << order;
    EXPECT_EQ(kindIn(waiting("9"), kFewResident | order), "deadlock") << order;
    EXPECT_EQ(kindIn(waiting("%r9"), kFewResident | order), "") << order;
  }
}

TEST(OtherOrders, DetectADeadlock) {
  // The first lane of each warp waits for two words that are never written.
  const std::string waiting =
      std::string(kLeaders) +
      "WAIT: ld.volatile.global.u32 %r1, [%rd30]; setp.ne.u32 %p3, %r1, 0; @%p3 bra END;\n"
      "ld.volatile.global.u32 %r2, [%rd30+4]; setp.eq.u32 %p4, %r2, 0; @%p4 bra WAIT;\nEND:";
  for (const uint32_t blocks : {1, 3}) {
    for (uint64_t order = 0; order <= kOrders; ++order) {
      Machine machine("and.b32 %r29, %r31, 31;\n" + waiting, "", 1);
      machine.buffer("P", Words(4)).block(256).grid(blocks).order(order);
      const GridResult result = machine.run();
      ASSERT_EQ(result.faults.size(), 1u) << order;
      EXPECT_EQ(result.faults[0].kind, "deadlock") << order;
    }
  }
}

TEST(OtherOrders, LoseNoLockedUpdateOnSeveralHostThreads) {
  const std::string locked =
      "@%p1 bra END; LOCK: atom.global.cas.b32 %r1, [%rd30+4], 0, 1; setp.ne.u32 %p3, %r1, 0;\n"
      "@%p3 bra LOCK; membar.gl; ld.global.u32 %r2, [%rd30]; add.u32 %r2, %r2, 1;\n"
      "st.global.u32 [%rd30], %r2; membar.gl; atom.global.exch.b32 %r1, [%rd30+4], 0;\nEND:";
  const std::string counted = "@%p1 bra END; red.global.add.u32 [%rd30], 1;\nEND:";
  for (const std::string& body : {locked, counted}) {
    for (const unsigned threads : {2, 5, 20}) {
      Machine machine("setp.ne.u32 %p1, %r31, 0;\n" + body, "", 1);
      machine.buffer("P", Words(4)).block(64).grid(300).order(7).threads(threads).runWell();
      EXPECT_EQ(machine.values<uint32_t>(0)[0], 300u) << threads;
    }
  }
}

TEST(OtherOrders, LoseNoLockedUpdate) {
  const std::string locked = std::string(kLeaders) +
                             "LOCK: atom.global.cas.b32 %r1, [%rd30+4], 0, 1; setp.ne.u32 %p3, "
                             "%r1, 0; @%p3 bra LOCK;\n"
                             "membar.gl; ld.global.u32 %r2, [%rd30]; add.u32 %r2, %r2, 1;\n"
                             "st.global.u32 [%rd30], %r2; membar.gl;\n"
                             "atom.global.exch.b32 %r1, [%rd30+4], 0;\nEND:";
  EXPECT_EQ(differing(locked), 0u);
  EXPECT_EQ(differing(locked, 40), 0u);
}

}  // namespace tilestep::simt::order_test
