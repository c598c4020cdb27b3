// SPDX-License-Identifier: Apache-2.0
// Volatile accesses and accesses with a memory order, which suffice for flags but not for data.
#include <gtest/gtest.h>

#include "checked.h"
#include "ptx/text/parser.h"
#include "simt/check/flag_loads.h"
#include "support/results.h"

namespace tilestep::simt::flags_test {

/// The use of each load of the body, in program order.
std::vector<FlagUse> usesOf(const std::string& body) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry test(.param .u64 p) {\n"
      ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<8>; .shared .align 4 .b8 s[256];\n" +
      body + "\nret; }");
  EXPECT_TRUE(module.ok()) << toString(module.error());
  std::vector<FlagUse> uses;
  const ptx::Function& entry = module->functions.front();
  size_t steps = 1000;
  const std::vector<FlagUse> all = flagUses(entry, steps);
  for (size_t i = 0; i < entry.body.size(); ++i) {
    if (entry.body[i].opcode == ptx::Opcode::ld) uses.push_back(all[i]);
  }
  return uses;
}

using Uses = std::vector<FlagUse>;

TEST(FlagUses, DistinguishWaitingDecidingAndComputing) {
  EXPECT_EQ(usesOf("W: ld.volatile.shared.u32 %r1, [s]; setp.eq.u32 %p1, %r1, 0; @%p1 bra W;"),
            Uses{FlagUse::waits});
  EXPECT_EQ(usesOf("ld.relaxed.gpu.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0; @%p1 bra D;\n"
                   "st.global.u32 [%rd2], 1; D:"),
            Uses{FlagUse::decides});
  EXPECT_EQ(usesOf("ld.volatile.shared.u32 %r1, [s]; add.u32 %r1, %r1, 1;\n"
                   "st.volatile.shared.u32 [s], %r1;"),
            Uses{FlagUse::data});
  EXPECT_EQ(usesOf("ld.shared.u32 %r1, [s]; setp.eq.u32 %p1, %r1, 0; @%p1 bra D; D:"),
            Uses{FlagUse::data});  // A plain load is not a flag's load.
}

TEST(FlagUses, AReductionDoesNotWait) {
  // The address differs in each iteration.
  const std::string loop =
      "mov.u32 %r4, s; L: ld.volatile.shared.u32 %r1, [%r4]; setp.gt.u32 %p1, %r1, %r2;\n"
      "@%p1 mov.u32 %r2, %r1; add.u32 %r4, %r4, 4; setp.lt.u32 %p2, %r4, 256; @%p2 bra L;";
  EXPECT_EQ(usesOf(loop), Uses{FlagUse::decides});
  // The executions of this load are separated by a barrier.
  EXPECT_EQ(usesOf("L: ld.volatile.shared.u32 %r1, [s]; bar.sync 0; setp.gt.u32 %p1, %r1, 9;\n"
                   "@%p1 bra L;"),
            Uses{FlagUse::decides});
}

TEST(FlagUses, WaitsAtAnAddressThatIsRecomputedInEachIteration) {
  const auto polling = [](const std::string& next) {
    return usesOf(
        "mov.u32 %r2, 0;\nL: shl.b32 %r3, %r2, 2; mov.u32 %r4, s; add.u32 %r5, %r4, %r3;\n"
        "ld.volatile.shared.u32 %r1, [%r5]; setp.eq.u32 %p1, %r1, 0;\n" +
        next + "setp.lt.u32 %p2, %r2, 8; @%p2 bra L;");
  };
  // while (i < 8) if (s[i] != 0) i++;
  EXPECT_EQ(polling("@%p1 bra L; add.u32 %r2, %r2, 1;"), Uses{FlagUse::waits});
  EXPECT_EQ(polling("@%p1 bra M; st.global.u32 [%rd2], 1; M: add.u32 %r2, %r2, 1;"),
            Uses{FlagUse::decides});
}

TEST(FlagUses, TheOperandOfAnAtomicMaximumDecides) {
  EXPECT_EQ(usesOf("ld.relaxed.gpu.global.u32 %r1, [%rd1]; add.u32 %r2, %r1, 4;\n"
                   "red.global.min.u32 [%rd2], %r2;"),
            Uses{FlagUse::decides});
  EXPECT_EQ(usesOf("ld.relaxed.gpu.global.u32 %r1, [%rd1]; red.global.add.u32 [%rd2], %r1;"),
            Uses{FlagUse::data});
}

TEST(FlagUses, FollowsValuesThroughRegisters) {
  EXPECT_EQ(usesOf("ld.volatile.global.u32 %r1, [%rd1]; shr.u32 %r2, %r1, 4; and.b32 %r3, %r2, 1;\n"
                   "setp.ne.u32 %p1, %r3, 0; selp.u32 %r5, 1, 2, %p1; st.global.u32 [%rd2], %r5;"),
            Uses{FlagUse::decides});
  EXPECT_EQ(usesOf("ld.relaxed.gpu.global.u32 %r1, [%rd1]; add.u32 %r2, %r1, 4;\n"
                   "atom.global.cas.b32 %r3, [%rd1], %r1, %r2;"),
            Uses{FlagUse::decides});
}

/// The first thread of each of two warps runs `update`, which changes P[0].
Machine updating(const std::string& update) {
  return checked("and.b32 %r5, %r31, 31; setp.ne.u32 %p1, %r5, 0; @%p1 bra $end;\n" + line(4) +
                 update + "\n$end:");
}

TEST(Flags, UpdatesByVolatileOrRelaxedAccessesRace) {
  const auto raceIn = [&](const std::string& load, const std::string& store) {
    return findings(
        updating(load + " %r6, [%rd30]; add.u32 %r6, %r6, 1;\n" + store + " [%rd30], %r6;"));
  };
  EXPECT_TRUE(has(raceIn("ld.volatile.global.u32", "st.volatile.global.u32"), "global 4-4"));
  EXPECT_TRUE(has(raceIn("ld.relaxed.gpu.global.u32", "st.relaxed.gpu.global.u32"), "global 4-4"));
  EXPECT_EQ(findings(updating("red.global.add.u32 [%rd30], 1;")), "");
}

TEST(Flags, AValueThatDecidesMayChangeAtAnyTime) {
  EXPECT_EQ(findings(updating("ld.volatile.global.u32 %r6, [%rd30]; setp.ne.u32 %p2, %r6, 0;\n"
                              "@%p2 bra $end; st.volatile.global.u32 [%rd30], 1;")),
            "");
}

/// Warp 1 passes `tile` to warp 0 through a flag in shared memory.
Machine passing(const std::string& type, const std::string& fence) {
  return checked(
      "setp.eq.u32 %p1, %r31, 0; @%p1 st.shared.u32 [other], 0; bar.sync 0;\n"
      "@%p1 bra $wait; setp.ne.u32 %p2, %r31, 32; @%p2 bra $end;\n" +
      line(3) + "st.shared.u32 [tile], 7;\n" + fence + line(4) + "st." + type +
      "shared.u32 [other], 1; bra $end;\n$wait:\n" + line(5) + "ld." + type +
      "shared.u32 %r4, [other]; setp.eq.u32 %p3, %r4, 0; @%p3 bra $wait;\n" + line(6) +
      "ld.shared.u32 %r5, [tile]; st.global.u32 [%rd30], %r5;\n$end:");
}

TEST(Flags, AWarpMayWaitForAnotherWarpInSharedMemory) {
  EXPECT_EQ(findings(passing("volatile.", "membar.cta;\n")), "");
  EXPECT_EQ(findings(passing("volatile.", "")), "read-after-write shared 3-6");
}

/// The first lanes of the warps add to a sum in turn. Each waits until a word is its warp's index,
/// and then increments the word.
TEST(Flags, AThreadMayReadTheAwaitedWordAgain) {
  const auto inTurn = [](const std::string& wait) {
    return findings(
        "setp.eq.u32 %p1, %r31, 0; @%p1 st.shared.u32 [other], 0; @%p1 st.shared.u32 [tile], 0;\n"
        "bar.sync 0; and.b32 %r5, %r31, 31; setp.ne.u32 %p1, %r5, 0; @%p1 bra $end;\n"
        "shr.b32 %r10, %r31, 5; $wait:\n" +
        line(3) + "ld.volatile.shared.u32 %r6, [other]; setp.ne.u32 %p2, %r6, %r10;\n" + wait +
        "membar.cta;\n" + line(4) + "ld.shared.u32 %r7, [tile]; add.u32 %r7, %r7, 1;\n" + line(5) +
        "st.shared.u32 [tile], %r7; membar.cta;\n" + line(6) +
        "ld.volatile.shared.u32 %r8, [other]; add.u32 %r8, %r8, 1;\n" + line(7) +
        "st.volatile.shared.u32 [other], %r8;\n$end:");
  };
  EXPECT_EQ(inTurn("@%p2 bra $wait;\n"), "");
  EXPECT_NE(inTurn("@%p2 bra $end;\n"), "") << "no lane waits";
}

TEST(Flags, AWaitingLoopMayHaveALoadBeforeIt) {
  // Compiled from `while (!*flag) __nanosleep(10);`. The waiting thread also resets the flag.
  Machine machine = checked(
      "setp.eq.u32 %p1, %r31, 0; @%p1 st.shared.u32 [other], 0; bar.sync 0;\n"
      "@%p1 bra $wait; setp.ne.u32 %p2, %r31, 32; @%p2 bra $end;\n"
      "st.volatile.shared.u32 [other], 1; bra $end;\n$wait:\n"
      "ld.volatile.shared.u32 %r4, [other]; setp.ne.u32 %p3, %r4, 0; @%p3 bra $found;\n"
      "$loop: nanosleep.u32 10; ld.volatile.shared.u32 %r5, [other]; setp.eq.u32 %p4, %r5, 0;\n"
      "@%p4 bra $loop;\n$found: st.volatile.shared.u32 [other], 0;\n$end:");
  EXPECT_EQ(findings(std::move(machine)), "");
}

TEST(Flags, AnAtomicOperationThatLoadsDataNeedsAnOrder) {
  const auto reading = [](const std::string& read) {
    return findings(updating("setp.ge.u32 %p2, %r31, 32; @%p2 bra $read;\n" + line(5) +
                             "red.global.add.u32 [%rd30], 7; bra $end;\n$read:\n" + line(6) +
                             read));
  };
  const Found race = "read-after-write global 5-6";
  EXPECT_EQ(reading("atom.global.add.u32 %r6, [%rd30], 0; st.global.u32 [%rd30+64], %r6;"), race);
  EXPECT_EQ(reading("atom.global.or.b32 %r6, [%rd30], 0; st.global.u32 [%rd30+64], %r6;"), race);
  // A ticket, and a value that decides a branch.
  EXPECT_EQ(reading("atom.global.add.u32 %r6, [%rd30], 1; st.global.u32 [%rd30+64], %r6;"), "");
  EXPECT_EQ(reading("atom.global.add.u32 %r6, [%rd30], 0; setp.eq.u32 %p3, %r6, 0;\n"
                    "@%p3 bra $end; st.global.u32 [%rd30+64], 1;"),
            "");
  EXPECT_EQ(
      findings(updating("atom.global.add.u32 %r6, [%rd30], 0; st.global.u32 [%rd1+64], %r6;")),
      "");  // Both accesses only read.
}

TEST(Flags, ALoadBeforeAnAtomicOperationIsNoRace) {
  const std::string zero = "setp.eq.u32 %p1, %r31, 0; @%p1 st.shared.u32 [tile], 0; bar.sync 0;\n";
  EXPECT_EQ(findings(zero + "ld.volatile.shared.u32 %r4, [tile]; setp.ge.u32 %p2, %r4, %r31;\n"
                            "@!%p2 red.shared.max.u32 [tile], %r31;"),
            "");
  // The loop of the CUDA C++ Programming Guide. Compilers use the variable's name or a register.
  EXPECT_EQ(findings(zero + "mov.u32 %r10, tile; ld.shared.u32 %r4, [tile];\n"
                            "$again: add.u32 %r5, %r4, 1;\n"
                            "atom.shared.cas.b32 %r6, [%r10], %r4, %r5;\n"
                            "setp.ne.u32 %p2, %r6, %r4; mov.u32 %r4, %r6; @%p2 bra $again;"),
            "");
}

TEST(Flags, AtomicOperationsOrderOnlyLaterLanes) {
  // Each lane adds after a fence and then reads its neighbour's word. The first lane at the
  // addition acquires nothing from the lanes after it.
  const std::string text = line(3) + "st.shared.u32 [%r1], %r31; membar.cta;\n" +
                           "red.global.add.u32 [%rd30], 1;\n" + line(5) +
                           "xor.b32 %r4, %r29, 4; add.u32 %r4, %r28, %r4;\n"
                           "ld.shared.u32 %r5, [%r4]; st.global.u32 [%rd1+256], %r5;";
  EXPECT_EQ(findings(text, 32), "read-after-write shared 3-5");
}

}  // namespace tilestep::simt::flags_test
