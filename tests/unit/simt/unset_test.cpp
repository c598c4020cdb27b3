// SPDX-License-Identifier: Apache-2.0
// Unset values that are read by exchanges, ldmatrix, branches and functions, or passed on by
// shuffles and selections.
#include <gtest/gtest.h>

#include "checked.h"

namespace tilestep::simt::unset_test {

TEST(Unwritten, AnExchangeReadsIfItsResultIsUsed) {
  const std::string exchange =
      "setp.eq.u32 %p1, %r31, 0;\n" + line(3) + "@%p1 atom.shared.exch.b32 %r4, [tile], 1;\n";
  EXPECT_EQ(findings(exchange), "");  // An assignment.
  EXPECT_EQ(findings(exchange + "@%p1 st.global.u32 [%rd30], %r4;"), "uninitialised-read 3");
  const std::string zero = "setp.eq.u32 %p1, %r31, 0; @%p1 st.shared.u32 [tile], 0;\n";
  EXPECT_EQ(findings(zero + exchange + "@%p1 st.global.u32 [%rd30], %r4;"), "");
}

/// A structure with an unset member may be copied, and the copy's member is unset, too.
TEST(Unwritten, ACopyInSharedMemoryStaysUnset) {
  const auto copied = [](const std::string& more) {
    return findings(
        line(3) + "ld.shared.u32 %r4, [tile];\nst.shared.u32 [other], %r4;\n" + line(4) + more, 1);
  };
  EXPECT_EQ(copied(""), "");
  EXPECT_EQ(copied("add.u32 %r5, %r4, 1;"), "");
  EXPECT_EQ(copied("st.global.u32 [%rd30], %r4;"), "uninitialised-read 3");
  EXPECT_EQ(copied("ld.shared.u32 %r5, [other];\nst.global.u32 [%rd30], %r5;"),
            "uninitialised-read 3");
  EXPECT_EQ(copied("st.shared.u32 [other], 1; ld.shared.u32 %r5, [other];\n"
                   "st.global.u32 [%rd30], %r5;"),
            "");
  EXPECT_EQ(copied("setp.eq.u32 %p1, %r31, 9; selp.u32 %r5, %r4, 7, %p1;\n"
                   "st.global.u32 [%rd30], %r5;"),
            "");
}

TEST(Unwritten, AVectorStoreToGlobalMemoryMayCopyAStructure) {
  const std::string half =
      "st.shared.u32 [tile], 1;\n" + line(3) + "ld.shared.v2.u32 {%r4, %r5}, [tile];\n";
  EXPECT_EQ(findings(half + "st.global.v2.u32 [%rd30], {%r4, %r5};", 1), "uninitialised-copy 3");
  EXPECT_EQ(findings(half + "st.global.u32 [%rd30], %r4;", 1), "");
}

TEST(Unwritten, AStoredUnsetValueDiffersFromUnwrittenMemory) {
  Machine machine = checked("st.shared.u32 [tile], %r4;\n" + line(3) +
                                "ld.shared.u32 %r5, [tile];\nst.global.u32 [%rd30], %r5;",
                            1);
  const Fault fault = onlyFault(machine.run());
  EXPECT_EQ(fault.kind, "uninitialised-read");
  EXPECT_EQ(fault.message,
            "A read of 4 bytes finds a copy of a value that was never set: "
            "tile[0] (thread (0, 0, 0) of block (0, 0, 0), line 3).");
}

/// In the first block, warp 0 meets an unset value. In the second block, warp 1 does not.
TEST(Unwritten, EachBlockBeginsWithoutUnsetValues) {
  Machine machine = checked(
      "setp.lt.u32 %p1, %r31, 32; setp.eq.u32 %p2, %r30, 0; add.u32 %r5, %r31, 0;\n"
      "@%p2 ld.shared.u32 %r5, [%r1];\n@%p2 bra $copy; @%p1 ld.shared.u32 %r6, [other];\n"
      "@%p1 st.shared.u32 [other+128], %r6; bar.sync 0; mov.u32 %r7, 7;\n"
      "@!%p1 st.shared.u32 [%r1], %r7; @!%p1 ld.shared.u32 %r5, [%r1];\n"
      "@!%p1 st.global.u32 [%rd1], %r5; ret;\n$copy: st.shared.u32 [%r1], %r5;\n");
  machine.grid(3);
  EXPECT_EQ(findings(std::move(machine)), "");
}

TEST(Unwritten, TheUsedOneOfManyReadsIsReported) {
  // The value that line 3 reads is stored; the values that line 4 reads are discarded.
  EXPECT_EQ(findings(line(3) + "ld.shared.u32 %r4, [tile]; mov.u32 %r9, 0;\n" + line(4) +
                         "$round: ld.shared.u32 %r5, [other]; add.u32 %r9, %r9, 1;\n"
                         "setp.lt.u32 %p1, %r9, 5000; @%p1 bra $round;\n" +
                         line(5) + "st.global.u32 [%rd1], %r4;",
                     32),
            "uninitialised-read 3");
}

TEST(Unset, AResultUnderAnUnsetGuardIsUnset) {
  const std::string guarded =
      "setp.gt.s32 %p2, %r4, 0; mov.u32 %r5, 1;\n@%p2 mov.u32 %r5, 5; @!%p2 mov.u32 %r5, 6;\n" +
      line(3) + "st.global.u32 [%rd1], %r5;";
  EXPECT_EQ(findings("setp.lt.u32 %p1, %r31, 8; @%p1 mov.u32 %r4, 5;\n" + guarded),
            "uninitialised-read 3");
  EXPECT_EQ(findings("mov.u32 %r4, 5;\n" + guarded), "");
}

TEST(Shuffles, ThePredicateHasAValue) {
  EXPECT_EQ(findings("setp.lt.u32 %p1, %r31, 8; @%p1 mov.u32 %r4, 5;\n"
                     "setp.gt.s32 %p2, %r4, 0;\n"
                     "shfl.sync.up.b32 %r5|%p2, %r31, 1, 0, -1;\n"
                     "@%p2 st.global.u32 [%rd1], %r31;",
                     32),
            "");
}

/// Bit fields that are set one after the other, each by a load, an `and`, an `or` and a store.
TEST(Unwritten, EachBitIsFollowed) {
  const auto field = [](unsigned keep, unsigned set) {
    return "ld.shared.u32 %r4, [tile]; and.b32 %r4, %r4, " + std::to_string(keep) +
           "; or.b32 %r4, %r4, " + std::to_string(set) + "; st.shared.u32 [tile], %r4;\n";
  };
  const std::string two = field(0xfffff000U, 5) + field(0xff000fffU, 7 << 12);
  const std::string store = "\nst.global.u32 [%rd30], %r5;";
  const auto found = [&](const std::string& read) {
    return findings(two + line(3) + "ld.shared.u32 %r4, [tile];\n" + read + store, 1);
  };
  EXPECT_EQ(found("and.b32 %r5, %r4, 4095;"), "");
  EXPECT_EQ(found("shr.u32 %r5, %r4, 12; and.b32 %r5, %r5, 4095;"), "");
  EXPECT_EQ(found("bfe.u32 %r5, %r4, 12, 12;"), "");
  EXPECT_EQ(found("shl.b32 %r5, %r4, 8; shr.u32 %r5, %r5, 20;"), "");
  EXPECT_EQ(found("cvt.u16.u32 %h1, %r4; cvt.u32.u16 %r5, %h1;"), "");
  EXPECT_EQ(found("mov.b32 {%h1, %h2}, %r4; cvt.u32.u16 %r5, %h1;"), "");
  EXPECT_EQ(found("prmt.b32 %r5, %r4, 0, 0x4210;"), "");
  EXPECT_EQ(found("bfi.b32 %r5, 3, %r4, 24, 8;"), "");
  EXPECT_EQ(found("bfe.u32 %r5, %r4, 13, 12;"), "uninitialised-copy 3");
  EXPECT_EQ(found("shr.u32 %r5, %r4, 24;"), "uninitialised-copy 3");
  EXPECT_EQ(found("mov.b32 {%h1, %h2}, %r4; cvt.u32.u16 %r5, %h2;"), "uninitialised-copy 3");
  EXPECT_EQ(found("prmt.b32 %r5, %r4, 0, 0x3333;"), "uninitialised-read 3");
  EXPECT_EQ(found("bfi.b32 %r5, 3, %r4, 25, 7;"), "uninitialised-copy 3");
  EXPECT_EQ(found("cvt.s32.s16 %r5, %h3; mov.b32 %r5, {%h3, %h3};"), "uninitialised-read 3");
  EXPECT_EQ(found("shr.s32 %r5, %r4, 31;"), "uninitialised-read 3");
  EXPECT_EQ(found("add.u32 %r5, %r4, 1; and.b32 %r5, %r5, 4095;"), "");
  EXPECT_EQ(found("add.u32 %r5, %r4, 1;"), "uninitialised-copy 3");
  EXPECT_EQ(found("mul.hi.u32 %r5, %r4, 5;"), "uninitialised-read 3");
}

TEST(Unwritten, LocalMemoryIsFollowed) {
  const std::string local = ".local .align 8 .b8 own[16];\n";
  const auto found = [&](const std::string& body) {
    return findings("mov.u32 %r5, own;\nst.local.u32 [%r5], 1;\n" + line(3) +
                        "ld.local.v2.u32 {%r6, %r7}, [%r5];\n"
                        "st.local.v2.u32 [%r5+8], {%r6, %r7};\n" +
                        line(4) + body,
                    1, local);
  };
  EXPECT_EQ(found(""), "");
  EXPECT_EQ(found("ld.local.u32 %r8, [%r5+8]; st.global.u32 [%rd30], %r8;"), "");
  EXPECT_EQ(found("ld.local.u32 %r8, [%r5+12]; st.global.u32 [%rd30], %r8;"),
            "uninitialised-read 4");
}

TEST(Unwritten, GenericAddressesReachTheSameMemory) {
  const std::string stored =
      "cvta.shared.u64 %rd5, tile;\nst.u32 [%rd5], %r4;\nst.u32 [%rd5+4], 1;\n" + line(3);
  const std::string use = "st.global.u32 [%rd30], %r5;";
  const auto found = [&](const std::string& read) { return findings(stored + read + use, 1); };
  EXPECT_EQ(found("ld.u32 %r5, [%rd5];"), "uninitialised-read 3");
  EXPECT_EQ(found("ld.shared.u32 %r5, [tile];"), "uninitialised-read 3");
  EXPECT_EQ(found("ld.u32 %r5, [%rd5+4];"), "");
}

TEST(Unwritten, AnAsynchronousCopySetsValues) {
  const auto found = [](const std::string& copy) {
    return findings("st.shared.u32 [tile], %r4;\n" + copy + "cp.async.wait_all;\n" + line(3) +
                        "ld.shared.u32 %r5, [tile];\nst.global.u32 [%rd1], %r5;",
                    1);
  };
  EXPECT_EQ(found("cp.async.ca.shared.global [tile], [%rd30], 4;\n"), "");
  EXPECT_EQ(found("cp.async.ca.shared.global [tile+4], [%rd30], 4;\n"), "uninitialised-read 3");
}

TEST(Unwritten, ValuesOfExitedLanesDoNotCount) {
  const std::string some = "setp.lt.u32 %p1, %r31, 8; @%p1 ld.shared.u32 %r4, [tile];\n";
  const std::string store = line(3) + "st.global.u32 [%rd1], %r4;";
  EXPECT_EQ(findings("mov.u32 %r4, 1;\n" + some + "@%p1 ret;\n" + store), "");
  EXPECT_EQ(findings("mov.u32 %r4, 1;\n" + line(2) + some + "@!%p1 ret;\n" + store),
            "uninitialised-read 2");
}

TEST(Unwritten, VotesAndBarrierReductionsUseTheirSources) {
  const std::string load = "st.shared.u32 [other], 1;\n" + line(3) +
                           "ld.shared.u32 %r4, [tile];\nsetp.gt.u32 %p1, %r4, 7;\n";
  EXPECT_EQ(findings(load + "vote.sync.any.pred %p2, %p1, -1;", 32), "uninitialised-read 3");
  EXPECT_EQ(findings(load + "bar.red.popc.u32 %r5, 0, %p1;", 32), "uninitialised-read 3");
  EXPECT_EQ(findings(load + "setp.gt.u32 %p3, %r31, 99; and.pred %p1, %p1, %p3;\n"
                            "vote.sync.any.pred %p2, %p1, -1;",
                     32),
            "");
  EXPECT_EQ(findings(load + "setp.lt.u32 %p3, %r31, 99; setp.gt.or.u32 %p1, %r4, 7, %p3;\n"
                            "vote.sync.any.pred %p2, %p1, -1;",
                     32),
            "");
}

TEST(Unwritten, AnAtomicAdditionReads) {
  EXPECT_EQ(findings(line(3) + "red.shared.add.u32 [tile], 1;"), "uninitialised-read 3");
}

/// 16 halves for each lane of a warp in `tile` and `other`, then the form of ldmatrix.
std::string matrices(const std::string& between, const std::string& form) {
  return "mul.lo.u32 %r5, %r31, 16; add.u32 %r5, %r28, %r5;\n" + line(1) +
         "st.shared.v4.u32 [%r5], {%r31, %r31, %r31, %r31};\n" + between + line(2) +
         "ldmatrix.sync.aligned.m8n8." + form + ", [%r5];\n";
}

TEST(Unwritten, LdmatrixReads) {
  const std::string tile = ".shared .align 16 .b8 rows[512];\n";
  const auto found = [&](const std::string& between, const std::string& form) {
    Machine machine = checked("mov.u32 %r28, rows;\n" + matrices(between, form), 32, tile);
    return findings(std::move(machine));
  };
  const std::string four = "x4.shared.b16 {%r6, %r7, %r8, %r9}", one = "x1.shared.b16 {%r6}";
  EXPECT_EQ(found("bar.warp.sync -1;\n", four), "");
  EXPECT_EQ(found("bar.warp.sync -1;\n", one), "");
  // The address of lane 20 is 256 bytes too high.
  const std::string away =
      "setp.eq.u32 %p1, %r31, 20; bar.warp.sync -1; @%p1 mov.u32 %r5, other;\n";
  EXPECT_EQ(found(away, four), "uninitialised-read 2");
  EXPECT_EQ(found(away, one), "");  // ldmatrix ignores the address of lane 20.
}

TEST(Unwritten, LdmatrixNeedsABarrierLikeAnyOtherRead) {
  const std::string tile = ".shared .align 16 .b8 rows[512];\n";
  const std::string shift = "xor.b32 %r5, %r5, 16;\n";
  const std::string form = "x4.shared.b16 {%r6, %r7, %r8, %r9}";
  EXPECT_EQ(findings("mov.u32 %r28, rows;\n" + matrices(shift, form), 32, tile),
            "read-after-write shared 1-2");
  EXPECT_EQ(
      findings("mov.u32 %r28, rows;\n" + matrices("bar.warp.sync -1;\n" + shift, form), 32, tile),
      "");
}

const std::string kSome = "setp.lt.u32 %p1, %r31, 8; @%p1 mov.u32 %r4, 5;\n";

TEST(Unset, ABranchUsesItsPredicate) {
  const std::string branch =
      "setp.gt.s32 %p2, %r4, 0;\n" + line(3) + "@%p2 bra $on; st.global.u32 [%rd1], 1; $on:\n";
  EXPECT_EQ(findings(kSome + branch), "uninitialised-read 3");
  EXPECT_EQ(findings("mov.u32 %r4, 5;\n" + branch), "");
  EXPECT_EQ(findings(kSome + "@!%p1 bra $out;\n" + branch + "$out:"), "");
  // Compilers compute values that may not be needed, and use them only if they were set.
  EXPECT_EQ(findings(kSome + "setp.gt.s32 %p2, %r4, 0; and.pred %p2, %p2, %p1;\n" +
                     "@%p2 bra $on; st.global.u32 [%rd1], 1; $on:"),
            "");
}

TEST(Unset, ASelectionHasTheValueThatItSelects) {
  const auto selecting = [](const std::string& selection) {
    return findings(kSome + selection + "\n" + line(3) + "st.global.u32 [%rd1], %r5;");
  };
  EXPECT_EQ(selecting("selp.u32 %r5, %r4, 1, %p1;"), "");
  EXPECT_EQ(selecting("selp.u32 %r5, 1, %r4, %p1;"), "uninitialised-read 3");
  EXPECT_EQ(selecting("setp.gt.s32 %p2, %r4, 0; selp.u32 %r5, 1, 2, %p2;"), "uninitialised-read 3");
}

TEST(Unwritten, UnusedVectorElementsDoNotCount) {
  const std::string half =
      "mul.lo.u32 %r5, %r31, 8; add.u32 %r5, %r28, %r5; st.shared.u32 [%r5], 1;\n" + line(3) +
      "ld.shared.v2.u32 {%r6, %r7}, [%r5];\n";
  EXPECT_EQ(findings(half + "st.global.u32 [%rd1], %r6;", 16), "");
  EXPECT_EQ(findings(half + "st.global.u32 [%rd1], %r7;", 16), "uninitialised-read 3");
}

TEST(Unset, AVectorMayCopyUnsetElements) {
  EXPECT_EQ(findings(kSome + line(3) + "st.shared.v2.u32 [%r28], {%r31, %r4};", 1), "");
  EXPECT_EQ(findings(kSome + line(3) + "add.u32 %r5, %r4, 1; st.global.u32 [%rd1], %r5;"),
            "uninitialised-read 3");
}

/// A function with one word as its argument, which returns %r2.
std::string callOf(const std::string& body) {
  return ".func (.param .b32 out) f(.param .b32 in) {\n"
         ".reg .b32 %r<9>; .reg .pred %p<9>; ld.param.u32 %r1, [in];\n" +
         body + line(8) + "st.param.b32 [out], %r2;\nret; }\n";
}

const std::string kCall =
    "{ .param .b32 a; .param .b32 b;\n" + line(4) +
    "st.param.b32 [a], %r4;\ncall.uni (b), f, (a); ld.param.b32 %r6, [b]; }\n";

TEST(Unset, ArgumentsAndResultsOfFunctionsAreFollowed) {
  const std::string doubled = "add.u32 %r2, %r1, %r1;\n";
  const auto calling = [&](const std::string& before, const std::string& body) {
    return findings(before + kCall, 64, callOf(body));
  };
  EXPECT_EQ(calling("mov.u32 %r4, 5;\n", doubled), "");
  EXPECT_EQ(calling(kSome, doubled), "uninitialised-read 4");
  const std::string partly = "setp.gt.u32 %p1, %r1, 7; @%p1 mov.u32 %r2, 1;\n";
  EXPECT_EQ(calling("mov.u32 %r4, 5;\n", partly), "uninitialised-read 8");
  EXPECT_EQ(calling("mov.u32 %r4, 9;\n", partly), "");
}

/// Registers of recursive functions are not followed, because all calls would share companions.
TEST(Unset, UnsetValuesInARecursiveFunctionAreOnlyPossibleErrors) {
  const auto calling = [](const std::string& again) {
    return findings("mov.u32 %r4, 3;\n" + kCall, 1,
                    callOf(line(2) + "ld.shared.u32 %r3, [4];\nmov.u32 %r2, 1;\n" +
                           "setp.eq.u32 %p1, %r1, 0; @%p1 bra $on;\n" + again + "$on: \n"));
  };
  EXPECT_EQ(calling(""), "");
  EXPECT_EQ(calling("sub.u32 %r4, %r1, 1;\n"
                    "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r4;\n"
                    "call.uni (b), f, (a); ld.param.b32 %r2, [b]; }\n"),
            "uninitialised-copy 2");
}

TEST(Shuffles, AShuffledUnsetValueIsUnset) {
  const std::string some = "setp.lt.u32 %p1, %r31, 8; @%p1 mov.u32 %r4, 5;\n";
  const std::string next = "shfl.sync.down.b32 %r5, %r4, 1, 31, -1;\n" + line(3);
  EXPECT_EQ(findings(some + next +
                         "setp.lt.u32 %p2, %r31, 7;\n"
                         "@%p2 st.global.u32 [%rd1], %r5;",
                     32),
            "");
  EXPECT_EQ(findings(some + next + "@%p1 st.global.u32 [%rd1], %r5;", 32), "uninitialised-read 3");
}

/// Lane 0 stores the sum over the lanes of `mask`, computed in steps of 8 or 16, 4, 2 and 1.
std::string sumOf(const std::string& mask, const std::string& step) {
  std::string text = line(5) + "mov.u32 %r4, %r31;\n";
  for (const std::string& d : {step, std::string("4"), std::string("2"), std::string("1")}) {
    text += "shfl.sync.down.b32 %r5, %r4, " + d + ", 31, " + mask + "; add.u32 %r4, %r4, %r5;\n";
  }
  return text + line(6) + "setp.eq.u32 %p2, %r31, 0; @%p2 st.global.u32 [%rd30], %r4;";
}

TEST(Shuffles, AValueFromAnAbsentLaneIsUndefined) {
  // Lanes 8 to 15 read from absent lanes, but lane 0 does not use the result.
  EXPECT_EQ(findings("setp.ge.u32 %p1, %r31, 16; @%p1 ret;\n" + sumOf("0xffff", "8"), 32), "");
  EXPECT_EQ(findings(sumOf("0xffff", "8"), 16), "");
  Machine machine =
      checked("setp.ge.u32 %p1, %r31, 16; @%p1 ret;\n" + sumOf("0xffffffff", "16"), 32);
  const Fault fault = onlyFault(machine.run());
  EXPECT_EQ(fault.kind, "uninitialised-read");
  EXPECT_EQ(fault.message,
            "A shuffle reads a lane that does not take part in it, and the value is used: on a GPU "
            "it can be anything (thread (0, 0, 0) of block (0, 0, 0), line 5).");
  EXPECT_EQ(findings(sumOf("0xffffffff", "16"), 32), "");
}

TEST(Shuffles, ALaneOutsideOfItsSegmentKeepsItsOwnValue) {
  EXPECT_EQ(findings("shfl.sync.up.b32 %r5|%p1, %r31, 1, 0, -1;\n"
                     "st.global.u32 [%rd1], %r5;",
                     32),
            "");
}

}  // namespace tilestep::simt::unset_test
