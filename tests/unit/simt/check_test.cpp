// SPDX-License-Identifier: Apache-2.0
// Hazards and reads of unwritten memory. The checkers must find all of them, and nothing else.
#include <gtest/gtest.h>

#include "checked.h"
#include "support/results.h"

namespace tilestep::simt::check_test {

const std::string kStore = "st.shared.u32 [%r1], %r31;";
/// Loads the next thread's word; the last of the 64 threads loads the first word.
const std::string kLoadNext =
    "add.u32 %r2, %r29, 4; and.b32 %r2, %r2, 255; add.u32 %r2, %r28, %r2;\n";
const std::string kNext = kLoadNext + "ld.shared.u32 %r3, [%r2];";

struct Row {
  const char* name;
  std::string body;
  Found found = {};
  uint32_t threads = 64;
};

void expectRows(const std::vector<Row>& rows) {
  for (const Row& row : rows) EXPECT_EQ(findings(row.body, row.threads), row.found) << row.name;
}

/// Lane l of one warp reads the word of lane l + 1.
const std::string kLoadNeighbour =
    "add.u32 %r2, %r29, 4; and.b32 %r2, %r2, 127; add.u32 %r2, %r28, %r2;\n"
    "ld.shared.u32 %r3, [%r2];";

TEST(Hazards, AreUnorderedAccessesToTheSameWord) {
  const std::string bytes = "add.u32 %r2, %r28, %r31; st.shared.u8 [%r2], %r31;";
  expectRows({
      {"a read behind a write and a barrier", kStore + "bar.sync 0;" + kNext},
      {"warp 1 has yet to write: the write is still the earlier instruction",
       line(1) + kStore + line(2) + kNext,
       {"read-after-write shared 1-2"}},
      {"a write behind a read",
       kStore + "bar.sync 0;" + line(3) + kNext + line(4) + kStore,
       {"write-after-read shared 3-4"}},
      {"two writes of different values",
       line(1) + "st.shared.u32 [tile], %r31;",
       {"write-after-write shared 1-1"}},
      {"equal writes", "mov.u32 %r3, 7; st.shared.u32 [tile], %r3;"},
      {"lockstep orders nothing",
       line(1) + kStore + line(2) + kLoadNeighbour,
       {"read-after-write shared 1-2"},
       32},
      {"a thread's own accesses", kStore + "ld.shared.u32 %r3, [%r1];" + kStore},
      {"bytes of one word", bytes + "ld.shared.u8 %r3, [%r2];"},
      {"a word and a byte of it",
       line(4) + bytes + line(5) +
           "and.b32 %r4, %r31, 60; add.u32 %r4, %r28, %r4; ld.shared.u32 %r3, [%r4];",
       {"read-after-write shared 4-5"}},
      {"of all readers of a word, two are kept",
       kStore + "bar.sync 0;" + line(1) + "ld.shared.u32 %r3, [tile];" + line(2) +
           "setp.eq.u32 %p1, %r31, 40; @%p1 st.shared.u32 [tile], %r31;",
       {"write-after-read shared 1-2"}},
  });
}

TEST(Hazards, ABarrierOrdersTheThreadsThatMeetThere) {
  const std::string two =
      "setp.lt.u32 %p1, %r31, 64; @!%p1 bra $third;" + line(1) + kStore + "bar.sync 1, 64;\n";
  const std::string storeGlobal = line(1) + "st.global.u32 [%rd1], %r31;" + line(2);
  const std::string nextGlobal =
      "add.u32 %r2, %r31, 1; and.b32 %r2, %r2, 63; mul.wide.u32 %rd2, %r2, 4;\n"
      "add.s64 %rd2, %rd30, %rd2; ld.global.u32 %r3, [%rd2];";
  // Each half of the warp has its own barrier.
  const std::string halves = line(1) + kStore +
                             "setp.lt.u32 %p1, %r31, 16; @%p1 bra $low;\n"
                             "bar.warp.sync 0xffff0000; bra $on;\n$low: bar.warp.sync 0xffff;\n"
                             "$on:\n" +
                             line(2);
  expectRows({
      {"two warps of three", two + kNext + "$third:", {}, 96},
      {"the third warp",
       two + "ret; $third:" + line(2) + "ld.shared.u32 %r3, [%r1+-256];",
       {"read-after-write shared 1-2"},
       96},
      {"global memory inside a block", storeGlobal + "bar.sync 0;" + nextGlobal},
      {"global memory without it", storeGlobal + nextGlobal, {"read-after-write global 1-2"}},
      {"the lanes of a warp", kStore + "bar.warp.sync -1;" + kLoadNeighbour, {}, 32},
      {"other warps at a barrier of the warp",
       line(1) + kStore + "bar.warp.sync -1;" + line(2) + kNext,
       {"read-after-write shared 1-2"}},
      {"lane 15 reads the word of lane 16",
       halves + kLoadNeighbour,
       {"read-after-write shared 1-2"},
       32},
      {"lanes of one half",
       halves + "xor.b32 %r2, %r29, 4; add.u32 %r2, %r28, %r2;\nld.shared.u32 %r3, [%r2];",
       {},
       32},
  });
}

TEST(Hazards, MessagesNameBothAccessesAndTheElement) {
  Machine machine = checked(line(1) + kStore + line(2) + kNext);
  const GridResult result = machine.run();
  ASSERT_EQ(result.hazards.size(), 1u);
  const Hazard& hazard = result.hazards[0];
  EXPECT_EQ(hazard.kind, "read-after-write");
  EXPECT_EQ(hazard.space, "shared");
  EXPECT_EQ(hazard.first.line, 1u);
  EXPECT_EQ(hazard.second.line, 2u);
  EXPECT_NE(hazard.first.thread, hazard.second.thread);
  EXPECT_TRUE(
      has(hazard.message, "line 2 reads what line 1 writes; no barrier between them (tile["));
}

TEST(Hazards, BlocksOfALaunchAreUnordered) {
  Machine machine = checked(line(1) + "st.global.u32 [%rd1], %r30;");
  machine.grid(2);
  const GridResult result = machine.run();
  ASSERT_EQ(result.hazards.size(), 1u);
  EXPECT_EQ(result.hazards[0].kind, "write-after-write");
  EXPECT_EQ(result.hazards[0].space, "global");
  EXPECT_EQ(result.hazards[0].first.block, (Dim3{0, 0, 0}));
  EXPECT_EQ(result.hazards[0].second.block, (Dim3{1, 0, 0}));
  EXPECT_EQ(result.hazards[0].count, 64u);
  EXPECT_TRUE(has(result.hazards[0].message, "P["));
}

TEST(Hazards, AtomicOperationsDoNotConflict) {
  const std::string start =
      "setp.eq.u32 %p1, %r31, 0; @%p1 st.shared.u32 [tile], 0; bar.sync 0;\n" + line(3);
  const std::string count = start + "atom.shared.add.u32 %r4, [tile], 1;\n" + line(4);
  const std::string untold =
      start + "red.shared.add.u32 [tile], 1;\n" + line(4) + "setp.eq.u32 %p2, %r31, 63;\n";
  expectRows({
      {"among themselves", count},
      {"a plain read beside them",
       count + "ld.shared.u32 %r3, [tile];",
       {"read-after-write shared 3-4"}},
      // As the last block does in an example of the CUDA C++ Programming Guide.
      {"the thread that counts to the end sets the counter back",
       count + "setp.eq.u32 %p2, %r4, 63; @%p2 st.shared.u32 [tile], 0;"},
      {"a thread that was not told writes",
       untold + "@%p2 st.shared.u32 [tile], 0;",
       {"write-after-write shared 3-4"}},
      {"a thread that was not told reads",
       untold + "@%p2 ld.shared.u32 %r3, [tile];",
       {"read-after-write shared 3-4"}},
  });
  EXPECT_NE(findings(count + "setp.ne.u32 %p2, %r4, 63; @%p2 st.shared.u32 [tile], 0;"), "");
}

/// A store leaves its mark before its value is in memory, so other workers can meet the mark early.
TEST(Hazards, EqualWritesOfConcurrentBlocksAreNotReported) {
  const std::string body =
      "mov.u32 %r3, 5000; mov.u64 %rd3, %rd30;\n"
      "$again: st.global.v4.u32 [%rd3], {%r3, %r29, %r3, %r3};\n"
      "add.s64 %rd3, %rd3, 16; add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 5256; @%p1 bra $again;";
  for (int round = 0; round < 20; ++round) {
    Machine machine = checked("mov.u32 %r29, 8;\n" + body, 32);
    machine.grid(16).threads(16);
    EXPECT_TRUE(machine.run().hazards.empty());
  }
}

/// Holds for any interleaving of concurrent blocks. With the barrier, the thread of the last block
/// that resets the counter is not the thread that counted.
TEST(Hazards, TheLastBlockIsOrderedAfterAllOthers) {
  const std::string count =
      "setp.eq.u32 %p1, %r31, 0; setp.ne.u32 %p2, %r31, %r31; @!%p1 bra $counted;\n" + line(3) +
      "atom.global.add.u32 %r4, [%rd30], 1; setp.eq.u32 %p2, %r4, 499;\n" +
      "selp.u32 %r5, 1, 0, %p2; st.shared.u32 [tile], %r5;\n$counted:\n" + line(4);
  const std::string byAll =
      "bar.sync 0; ld.shared.u32 %r5, [tile]; setp.eq.u32 %p2, %r5, 1;\n"
      "setp.eq.u32 %p3, %r31, 40; and.pred %p2, %p2, %p3;\n";
  for (const std::string& way : {std::string("and.pred %p2, %p2, %p1;\n"), byAll}) {
    Machine machine = checked(count + way + "@%p2 st.global.u32 [%rd30], 0;");
    machine.grid(500).threads(16);
    for (int round = 0; round < 10; ++round) EXPECT_TRUE(machine.run().hazards.empty());
  }
}

TEST(Hazards, AReadBeforeAnAtomicOperationIsNoHazard) {
  const std::string start =
      "setp.eq.u32 %p1, %r31, 0; @%p1 st.shared.u32 [tile], 5; bar.sync 0;\n" + line(1);
  // All threads raise the word to at least their index + 5 with a compare-and-swap loop, as in the
  // CUDA C++ Programming Guide.
  const std::string raise =
      "add.u32 %r10, %r31, 5;\n$again: setp.ge.u32 %p2, %r3, %r10;\n"
      "@%p2 bra $done; mov.u32 %r11, %r3;\n" +
      line(2) +
      "atom.shared.cas.b32 %r3, [%r28], %r11, %r10;\n"
      "setp.ne.u32 %p2, %r3, %r11; @%p2 bra $again;\n$done:\n";
  expectRows({
      {"one register", start + "ld.shared.u32 %r3, [%r28];" + raise},
      {"its copy", start + "mov.u32 %r12, %r28; ld.shared.u32 %r3, [%r12];" + raise},
  });
  const std::string wrong[] = {
      // The address register is written between the two accesses.
      "mov.u32 %r13, %r28; ld.shared.u32 %r3, [%r13]; add.u32 %r13, %r13, 0;\n"
      "atom.shared.or.b32 %r4, [%r13], %r31;",
      // A barrier before the second operation.
      "atom.shared.or.b32 %r4, [%r28], %r31; ld.shared.u32 %r3, [%r28];\n"
      "bar.sync 0; atom.shared.or.b32 %r4, [%r28], 1;",
      // "if (count < 40) atomicAdd(&count, 1)": the sum goes beyond 40.
      "ld.shared.u32 %r3, [%r28]; setp.lt.u32 %p2, %r3, 40;\n" + line(3) +
          "@%p2 atom.shared.add.u32 %r4, [%r28], 1;"};
  for (const std::string& body : wrong) {
    const Found found = findings(start + body);
    EXPECT_TRUE(!found.empty() && !has(found, ", ")) << body << ": " << found;
  }
  EXPECT_TRUE(has(findings(start + "ld.shared.u32 %r3, [%r28];" + raise + line(7) +
                           "setp.eq.u32 %p3, %r31, 40; @%p3 st.shared.u32 [tile], 99;"),
                  "write-after-read shared 1-7"));
}

TEST(Masks, AResultMayOverwriteTheMask) {
  const std::string vote = "mov.u32 %r3, 0xffffffff; setp.gt.u32 %p1, %r31, 4096;\n" + line(4) +
                           "vote.sync.ballot.b32 %r3, %p1, %r3;";
  EXPECT_EQ(findings(vote), "");
}

TEST(Masks, ALaneMissingFromItsOwnMaskIsReported) {
  const auto shuffle = [](const std::string& mask) {
    return line(4) + "shfl.sync.bfly.b32 %r3, %r31, 1, 31, " + mask + ";";
  };
  EXPECT_EQ(findings(shuffle("0xffffffff")), "");
  EXPECT_EQ(findings(shuffle("0x0000ffff")), "wrong-mask 4");
  EXPECT_EQ(findings("setp.lt.u32 %p1, %r31, 16; @%p1 bra $low; bra $end;\n$low: " +
                     shuffle("0x0000ffff") + "\n$end:"),
            "");
}

TEST(Hazards, AReadAndWriteOnOneLineSuggestsAnAtomicOperation) {
  Machine machine =
      checked("setp.eq.u32 %p1, %r31, 0; @%p1 st.shared.u32 [tile], 0; bar.sync 0;\n" + line(6) +
              "ld.shared.u32 %r3, [tile]; add.u32 %r3, %r3, %r31; "
              "st.shared.u32 [tile], %r3;");
  const GridResult result = machine.run();
  ASSERT_FALSE(result.hazards.empty());
  EXPECT_TRUE(has(result.hazards[0].message,
                  "if several threads update one element, an atomic operation such as atomicAdd"));
}

TEST(Hazards, BinsReadWithoutABarrierAreAHazard) {
  const std::string bins =
      "st.shared.u32 [%r1], 0; bar.sync 0;\n"
      "xor.b32 %r5, %r29, 128; add.u32 %r5, %r28, %r5;\n" +
      line(2) + "atom.shared.add.u32 %r4, [%r5], 1;\n";
  const std::string out = line(3) + "ld.shared.u32 %r6, [%r1]; st.global.u32 [%rd1], %r6;";
  EXPECT_EQ(findings(bins + "bar.sync 0;" + out), "");
  EXPECT_EQ(findings(bins + out), "read-after-write shared 2-3");
}

/// The last block computes the sum of all blocks, as in NVIDIA's sample threadFenceReduction. Each
/// block writes P[block]; P[100] counts the blocks.
std::string lastBlock(const std::string& fence) {
  return "setp.ne.u32 %p1, %r31, 0; @%p1 bra $wait;\n"
         "mul.wide.u32 %rd2, %r30, 4; add.s64 %rd2, %rd30, %rd2;\n" +
         line(1) + "add.u32 %r5, %r30, 7; st.global.u32 [%rd2], %r5;\n" + fence + line(2) +
         "atom.global.inc.u32 %r4, [%rd30+400], 1000; st.shared.u32 [tile], %r4;\n"
         "$wait: bar.sync 0; ld.shared.u32 %r4, [tile]; setp.ne.u32 %p2, %r4, 3; @%p2 ret;\n"
         "and.b32 %r6, %r31, 3; mul.wide.u32 %rd3, %r6, 4; add.s64 %rd3, %rd30, %rd3;\n" +
         line(5) + "ld.global.u32 %r7, [%rd3];";
}

TEST(Hazards, AFenceAndAnAtomicOrderBlocks) {
  for (const unsigned threads : {1u, 2u}) {
    Machine right = checked(lastBlock("membar.gl;"));
    right.grid(4).threads(threads);
    EXPECT_EQ(findings(std::move(right)), "");
  }
  for (const std::string fence : {"", "membar.cta;"}) {
    Machine wrong = checked(lastBlock(fence));
    wrong.grid(4);
    EXPECT_EQ(findings(std::move(wrong)), "read-after-write global 1-5");
  }
}

/// Each lane of the first warp stores a word of the tile, then the first lane sets a flag. In the
/// second warp, the first lane waits for the flag; after `tell`, each lane loads a word.
Found awaitedByOneLane(const std::string& tell) {
  return findings(
      "setp.ge.u32 %p1, %r31, 32; and.b32 %r5, %r31, 31; setp.eq.u32 %p2, %r5, 0;\n"
      "setp.eq.u32 %p3, %r31, 0; @%p3 st.shared.u32 [other], 0; bar.sync 0;\n"
      "@%p1 bra $hear;\n" +
      line(3) +
      "st.shared.u32 [%r1], %r31;\n"
      "bar.warp.sync -1; membar.cta; @%p2 atom.shared.or.b32 %r4, [other], 1; ret;\n"
      "$hear: @%p2 atom.shared.or.b32 %r4, [other], 2;\n" +
      tell + line(5) + "ld.shared.u32 %r6, [%r1+-128]; add.u32 %r6, %r6, 1;");
}

TEST(Hazards, AShuffleOrVotePassesOnWhatALaneAcquired) {
  EXPECT_EQ(awaitedByOneLane(""), "read-after-write shared 3-5");
  EXPECT_EQ(awaitedByOneLane("bar.warp.sync -1;"), "");
  EXPECT_EQ(awaitedByOneLane("shfl.sync.idx.b32 %r4, %r4, 0, 31, -1;"), "");
  EXPECT_EQ(awaitedByOneLane("vote.sync.any.pred %p3, %p2, -1;"), "");
  // A shuffle does not order plain accesses of the warp's lanes.
  EXPECT_EQ(
      checked(kStore + "shfl.sync.idx.b32 %r4, %r31, 0, 31, -1;" + kNext).run().hazards.size(), 1u);
}

TEST(Uninitialised, UnwrittenSharedMemory) {
  EXPECT_EQ(findings(kStore + "bar.sync 0;" + line(9) +
                     "ld.shared.u32 %r3, [other];\nst.global.u32 [%rd1], %r3;"),
            "uninitialised-read 9");
  // Compilers load ahead of a condition and discard the value.
  EXPECT_EQ(findings(kStore + "bar.sync 0;" + line(9) +
                     "ld.shared.u32 %r3, [other];\nadd.u32 %r3, %r3, 1;"),
            "");
}

TEST(Uninitialised, EachBlockBeginsWithUnwrittenMemory) {
  Machine machine =
      checked("setp.eq.u32 %p1, %r30, 0; @%p1 st.shared.u32 [%r1], %r31; bar.sync 0;\n" + line(7) +
              "ld.shared.u32 %r3, [%r1];\nst.global.u32 [%rd1], %r3;");
  machine.grid(2);
  const Fault fault = onlyFault(machine.run());
  EXPECT_EQ(fault.kind, "uninitialised-read");
  EXPECT_EQ(fault.count, 64u);
  EXPECT_EQ(fault.block, (Dim3{1, 0, 0}));
  EXPECT_TRUE(has(fault.message, "never written: tile[0]"));
}

TEST(Uninitialised, OutputsBeforeTheyAreWritten) {
  Machine machine = checked("ld.global.u32 %r3, [%rd1]; st.global.u32 [%rd1], %r3;");
  std::vector<uint8_t> shadow(4096);
  machine.request.buffers[0].shadow = shadow.data();
  EXPECT_TRUE(faulted(machine.run(), "uninitialised-read"));
}

TEST(Uninitialised, AVariableWithoutAValue) {
  // A sum without an initial value is reported where it is stored, also after a loop iteration.
  const std::string sum =
      "mov.u32 %r2, 0;\n$loop: add.f32 %f1, %f1, 0f3f800000;\n"
      "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 3; @%p1 bra $loop;\n" +
      line(6) + "st.global.f32 [%rd1], %f1;";
  EXPECT_EQ(findings(sum), "uninitialised-read 6");
  EXPECT_EQ(findings("mov.f32 %f1, 0f00000000;" + sum), "");
  const std::string address = line(2) + "add.u32 %r3, %r28, %r4; ld.shared.u32 %r5, [%r3];";
  EXPECT_TRUE(has(findings(kStore + "bar.sync 0;" + address), "uninitialised-read 2"));
}

TEST(Uninitialised, AVariableSetAndUsedByTheSameLanes) {
  const std::string some = "setp.lt.u32 %p1, %r31, 8; @%p1 mov.u32 %r4, 5;\n" + line(3);
  EXPECT_EQ(findings(some + "@%p1 st.shared.u32 [%r1], %r4;"), "");
  EXPECT_EQ(findings(some + "st.global.u32 [%rd1], %r4;"), "uninitialised-read 3");
  // Parts of a register, and a selection that does not use it.
  EXPECT_EQ(findings("setp.lt.u32 %p2, %r31, 99;"
                     "mov.b32 %r5, {%h1, %h2}; and.b32 %r6, %r7, 0; selp.b32 %r8, 1, %r9, "
                     "%p2; add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r8;"
                     "st.shared.u32 [%r1], %r5;"),
            "");
}

TEST(Uninitialised, ABranchToTheFirstInstructionKeepsVariables) {
  Machine machine = Machine::ofText(
      ".visible .entry test(.param .u64 p) {\n"
      ".reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %p<2>;\n"
      "table: .branchtargets first, done;\nfirst: setp.eq.u32 %p1, %r2, 5;\n@%p1 bra done;\n"
      "mov.u32 %r2, 5;\nmov.u32 %r3, 0;\nbrx.idx %r3, table;\n"
      "done: ld.param.u64 %rd1, [p];\nst.global.u32 [%rd1], %r2;\nret; }",
      "test");
  machine.buffer("P", Words(8)).block(1);
  machine.request.check = true;
  EXPECT_EQ(findings(std::move(machine)), "");
}

TEST(Bounds, AnArrayEndsWhereTheNextBegins) {
  Machine machine = checked(line(3) + "st.shared.u32 [%r1+4], %r31;");
  const Fault fault = onlyFault(machine.run());
  EXPECT_EQ(fault.kind, "out-of-bounds");
  EXPECT_EQ(fault.count, 1u);
  EXPECT_TRUE(has(fault.message, "4 bytes past the end of tile, which has 256 bytes"));
}

}  // namespace tilestep::simt::check_test
