// SPDX-License-Identifier: Apache-2.0
// Atomic operations and fences with block scope, which order nothing between blocks.
#include <gtest/gtest.h>

#include "checked.h"

namespace tilestep::simt::scope_test {

/// Each thread of two blocks increments P[0].
Machine countingWith(const std::string& operation) {
  Machine machine = checked(line(4) + operation);
  machine.grid(2);
  return machine;
}

TEST(Scopes, AtomicsOfBlockScopeRaceBetweenBlocks) {
  for (const std::string scope : {"", ".gpu", ".sys", ".relaxed.gpu"}) {
    EXPECT_EQ(findings(countingWith("red" + scope + ".global.add.u32 [%rd30], 1;")), "");
  }
  const Found races = "write-after-write global 4-4";
  EXPECT_EQ(findings(countingWith("red.cta.global.add.u32 [%rd30], 1;")), races);
  EXPECT_EQ(findings(countingWith("atom.relaxed.cta.global.add.u32 %r4, [%rd30], 1;")), races);
  // Block scope is correct for a single block, or if each block has its own counter.
  EXPECT_EQ(findings("red.cta.global.add.u32 [%rd30], 1;"), "");
  EXPECT_EQ(findings(countingWith("mul.wide.u32 %rd2, %r30, 4; add.s64 %rd2, %rd30, %rd2;\n"
                                  "red.cta.global.add.u32 [%rd2], 1;")),
            "");
  EXPECT_EQ(findings(countingWith("mov.u32 %r5, 0; st.shared.u32 [tile], %r5; bar.sync 0;\n"
                                  "red.cta.shared.add.u32 [tile], 1;")),
            "");
}

TEST(Scopes, TheMessageNamesTheScope) {
  const GridResult result = countingWith("red.cta.global.add.u32 [%rd30], 1;").run();
  ASSERT_EQ(result.hazards.size(), 1u);
  EXPECT_EQ(result.hazards[0].message,
            "line 4 writes what line 4 writes (P[0]): the scope of one of these atomic operations "
            "is the block, but the threads are in different blocks; use one whose scope is the "
            "device, such as atomicAdd.");
}

TEST(Scopes, ASingleOperationOfBlockScopeCausesARace) {
  const std::string start = "setp.eq.u32 %p1, %r30, 0;\n";
  EXPECT_EQ(findings(countingWith(start + "@%p1 red.cta.global.add.u32 [%rd30], 1;\n" + line(5) +
                                  "@!%p1 red.gpu.global.add.u32 [%rd30], 1;")),
            "write-after-write global 4-5");
}

/// Block 0 passes P[0] to block 1 through the flag P[16].
Machine passing(const std::string& release, const std::string& acquire) {
  Machine machine = checked(
      "setp.ne.u32 %p1, %r30, 0; @%p1 bra $taker;\n" + line(1) + "st.global.u32 [%rd30], 7;\n" +
          line(2) + release + "ret;\n$taker:\n" + line(3) + acquire +
          "setp.eq.u32 %p2, %r4, 0; @%p2 bra $taker;\n" + line(4) + "ld.global.u32 %r5, [%rd30];",
      1);
  machine.grid(2);
  return machine;
}

TEST(Scopes, ReleaseAndAcquireMustReachTheOtherBlock) {
  const std::string wide = "st.release.gpu.global.u32 [%rd30+64], 1;\n",
                    narrow = "st.release.cta.global.u32 [%rd30+64], 1;\n",
                    get = "ld.acquire.gpu.global.u32 %r4, [%rd30+64];\n",
                    getNarrow = "ld.acquire.cta.global.u32 %r4, [%rd30+64];\n";
  EXPECT_EQ(findings(passing(wide, get)), "");
  EXPECT_EQ(findings(passing("membar.gl; st.volatile.global.u32 [%rd30+64], 1;\n",
                             "ld.volatile.global.u32 %r4, [%rd30+64];\n")),
            "");
  const Found both = "read-after-write global 1-4, write-after-read global 3-2";
  EXPECT_EQ(findings(passing(narrow, get)), both);
  EXPECT_EQ(findings(passing(wide, getNarrow)), both);
  EXPECT_EQ(findings(passing("fence.acq_rel.gpu;" + narrow, getNarrow)), both);
}

TEST(Scopes, ADataTransferInABlockMayContinueToOtherBlocks) {
  // Warp 1 acquires P[0] from warp 0 of its block with block scope, and passes it to block 1.
  const auto found = [](const std::string& second) {
    Machine machine = checked(
        "setp.ne.u32 %p1, %r30, 0; @%p1 bra $last; setp.ge.u32 %p2, %r31, 32; @%p2 bra $next;\n" +
            line(1) + "setp.ne.u32 %p3, %r31, 0; @%p3 ret; st.global.u32 [%rd30], 7;\n" +
            "st.release.cta.global.u32 [%rd30+64], 1; ret;\n" +
            "$next: setp.ne.u32 %p3, %r31, 32; @%p3 ret;\n" +
            "$wait: ld.acquire.cta.global.u32 %r4, [%rd30+64]; setp.eq.u32 %p4, %r4, 0;\n"
            "@%p4 bra $wait;\n" +
            second + "ret;\n$last: setp.ne.u32 %p3, %r31, 0; @%p3 ret;\n" +
            "$again: ld.acquire.gpu.global.u32 %r4, [%rd30+128]; setp.eq.u32 %p4, %r4, 0;\n"
            "@%p4 bra $again;\n" +
            line(8) + "ld.global.u32 %r5, [%rd30];",
        64);
    machine.grid(2);
    return findings(std::move(machine));
  };
  EXPECT_EQ(found("st.release.gpu.global.u32 [%rd30+128], 1;"), "");
  EXPECT_EQ(found("st.relaxed.gpu.global.u32 [%rd30+128], 1;"), "read-after-write global 1-8");
}

}  // namespace tilestep::simt::scope_test
