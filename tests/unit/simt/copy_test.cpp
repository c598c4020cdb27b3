// SPDX-License-Identifier: Apache-2.0
// cp.async, ldmatrix and isspacep.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "machine.h"
#include "support/results.h"
#include "trace/replay.h"
#include "trace/tally.h"

namespace tilestep::simt::copy_test {

const char* const kTile = ".shared .align 16 .b8 tile[1024];";
/// %r10, %rd10 and %rd11 are the addresses of the thread's 16 bytes of tile, p0 and p1.
const char* const kPlaces =
    "mov.u32 %r10, tile; mad.lo.u32 %r10, %r31, 16, %r10; mul.wide.u32 %rd12, %r31, 16;\n"
    "add.s64 %rd10, %rd30, %rd12; add.s64 %rd11, %rd31, %rd12;\n";
const char* const kOut =
    "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%r10];\n"
    "st.global.v4.u32 [%rd11], {%r1, %r2, %r3, %r4};\n";

Words copied(const std::string& body) {
  Machine machine(std::string(kPlaces) + body + kOut, kTile);
  Words in(128);
  std::iota(in.begin(), in.end(), 1u);
  machine.buffer("in", in).buffer("out", Words(128)).runWell();
  return machine.values<uint32_t>(1);
}

TEST(AsyncCopy, ArrivesAtTheWaitAndNotBefore) {
  const std::string copy = "cp.async.cg.shared.global [%r10], [%rd10], 16;\n";
  EXPECT_EQ(copied(copy + "cp.async.commit_group;")[5], 0u);
  EXPECT_EQ(copied(copy + "cp.async.commit_group; cp.async.wait_group 1;")[5], 0u);
  EXPECT_EQ(copied(copy + "cp.async.wait_group 0;")[5], 0u);
  const Words all = copied(copy + "cp.async.commit_group; cp.async.wait_group 0;");
  for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(all[i], i + 1);
  EXPECT_EQ(copied(copy + "cp.async.wait_all;"), all);
}

TEST(AsyncCopy, GroupsArriveInOrder) {
  const Words out = copied(
      "cp.async.ca.shared.global [%r10], [%rd10], 4; cp.async.commit_group;\n"
      "cp.async.ca.shared.global.L2::128B [%r10+8], [%rd10+8], 8; cp.async.commit_group;\n"
      "cp.async.wait_group 1;");
  EXPECT_EQ(out[0], 1u);
  EXPECT_EQ(out[1], 0u);
  EXPECT_EQ(out[2], 0u);
}

// Two executions of one instruction, with the last two lanes past the edge. Each execution is one
// event for the start of the copy, and one for its arrival at the wait.
TEST(AsyncCopy, IsTracedWhereItBeginsAndWhereItArrives) {
  Machine machine(
      std::string(kPlaces) +
          "setp.lt.u32 %p1, %r31, 30; selp.u32 %r5, 4, 0, %p1;\n"
          "mov.u32 %r6, 0; mov.u32 %r13, %r10; mov.u64 %rd13, %rd10;\n"
          "L: cp.async.ca.shared.global [%r13], [%rd13], 4, %r5; cp.async.commit_group;\n"
          "add.u32 %r13, %r13, 4; add.u64 %rd13, %rd13, 4; add.u32 %r6, %r6, 1;\n"
          "setp.lt.u32 %p2, %r6, 2; @%p2 bra L;\n"
          "cp.async.wait_group 1; bar.sync 0; cp.async.wait_group 0; bar.sync 0;\n" +
          kOut,
      kTile);
  Words in(128);
  std::iota(in.begin(), in.end(), 1u);
  machine.buffer("in", in).buffer("out", Words(128)).traced();
  const GridResult result = machine.runWell();
  auto recording = std::make_shared<trace::BlockTrace>(*result.trace);
  std::string seen;
  for (size_t i = 0; i < 8; ++i) {
    const trace::TraceEvent event = recording->event(i);
    seen += std::to_string(event.epoch) + " " + std::string(toText(event.operation)) + " " +
            std::string(toText(event.space)) + " " + std::to_string(std::popcount(event.mask)) +
            ", ";
  }
  EXPECT_EQ(seen,
            "0 copy global 30, 0 copy none 2, 0 copy global 30, 0 copy none 2, 0 arrive shared 32, "
            "0 barrier none 32, 1 arrive shared 32, 1 barrier none 32, ");

  trace::Cut cut;
  cut.operands = {{}, {}};
  const trace::Replay replay(recording, cut);
  const trace::Activity begun = replay.activityOf(trace::StepGranularity::epoch, 0);
  ASSERT_EQ(begun.globalLoads.size(), 60U);
  for (const trace::GlobalLoad& load : begun.globalLoads) {
    EXPECT_TRUE(load.isCopy);
    ASSERT_TRUE(load.to);
    EXPECT_EQ(load.to->offset, load.from.offset);
  }
  const trace::BlockState half = replay.stateAfter(trace::StepGranularity::epoch, 0),
                          whole = replay.stateAfter(trace::StepGranularity::epoch, 1);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t word = 0; word < 2; ++word) {
      const trace::Place place{0, 16 * lane + 4 * word};
      EXPECT_EQ(half.findShared(place)->written, word == 0);
      const trace::SharedSlot* slot = whole.findShared(place);
      ASSERT_TRUE(slot->written);
      EXPECT_EQ(slot->bits, lane < 30 ? 4 * lane + word + 1 : 0);
      EXPECT_EQ(slot->origin, lane < 30 ? std::optional(place) : std::nullopt);
    }
  }
  const trace::Tally tally = trace::tallyOf(*recording);
  EXPECT_EQ(tally.copies.threads, 60U);
  EXPECT_EQ(tally.copies.requests, 2U);
  EXPECT_EQ(tally.arrivals, 64U);
  EXPECT_EQ(tally.counters.globalLoad.requests, 0U);
  EXPECT_EQ(tally.counters.sharedStore.requests, 0U);
}

trace::GridCounters countersOf(const std::string& body) {
  Machine machine(std::string(kPlaces) + body, kTile);
  machine.buffer("in", Words(128)).buffer("out", Words(128)).counted();
  return *machine.runWell().counters;
}

// Expected counts are computed by hand. The lanes' 16-byte pieces are adjacent in both memories.
TEST(AsyncCopy, CountsAsALoadAndAStore) {
  const trace::Counters wide =
      countersOf("cp.async.cg.shared.global [%r10], [%rd10], 16; cp.async.wait_all;").total;
  EXPECT_EQ(wide.globalLoad, (trace::GlobalCounts{32, 1, 512 / 32, 512, 512}));
  EXPECT_EQ(wide.sharedStore, (trace::SharedCounts{1, 128 / 32, 0}));
  EXPECT_EQ(wide.sharedLoad.requests + wide.globalStore.requests, 0U);
  // One word of each 16 bytes. There are 2 lanes per sector, and 8 banks with 4 words each.
  const trace::Counters narrow =
      countersOf("cp.async.ca.shared.global [%r10], [%rd10], 4; cp.async.wait_all;").total;
  EXPECT_EQ(narrow.globalLoad, (trace::GlobalCounts{32, 1, 16, 128, 128}));
  EXPECT_EQ(narrow.sharedStore, (trace::SharedCounts{1, 4, 3}));
  // All lanes copy from one address, so they share one sector.
  const trace::Counters one =
      countersOf("cp.async.ca.shared.global [%r10], [%rd30], 8; cp.async.wait_all;").total;
  EXPECT_EQ(one.globalLoad, (trace::GlobalCounts{32, 1, 1, 256, 8}));
  EXPECT_EQ(one.sharedStore, (trace::SharedCounts{1, 4, 2}));
}

TEST(AsyncCopy, ZerosAreStoredAndNotLoaded) {
  const trace::GridCounters edge = countersOf(
      "setp.lt.u32 %p1, %r31, 30; selp.u32 %r5, 4, 0, %p1; bar.sync 0;\n"
      "cp.async.ca.shared.global [%r10], [%rd10], 4, %r5; bar.sync 0; cp.async.wait_all;");
  EXPECT_EQ(edge.total.globalLoad, (trace::GlobalCounts{30, 1, 15, 120, 120}));
  EXPECT_EQ(edge.total.sharedStore, (trace::SharedCounts{1, 4, 3}));
  // Counted in the epoch in which the copy begins.
  ASSERT_EQ(edge.epochs.size(), 3U);
  EXPECT_EQ(edge.epochs[1].globalLoad, edge.total.globalLoad);
  EXPECT_EQ(edge.epochs[1].sharedStore, edge.total.sharedStore);
  const trace::Counters none =
      countersOf("mov.u32 %r5, 0; cp.async.ca.shared.global [%r10], [%rd10], 4, %r5;").total;
  EXPECT_EQ(none.globalLoad, trace::GlobalCounts());
  EXPECT_EQ(none.sharedStore, (trace::SharedCounts{1, 4, 3}));
  const trace::Counters guarded =
      countersOf(
          "setp.lt.u32 %p1, %r31, 8; setp.lt.u32 %p2, %r31, 2;\n"
          "@%p1 cp.async.cg.shared.global [%r10], [%rd10], 16, %p2; cp.async.wait_all;")
          .total;
  EXPECT_EQ(guarded.globalLoad, (trace::GlobalCounts{6, 1, 3, 96, 96}));
  EXPECT_EQ(guarded.sharedStore, (trace::SharedCounts{1, 1, 0}));
}

TEST(AsyncCopy, FillsTheRestWithZeros) {
  const std::string ones =
      "st.shared.v4.u32 [%r10], {9, 9, 9, 9}; mov.u32 %r5, 4; setp.lt.u32 %p1, %r31, 1;\n";
  Words out = copied(ones +
                     "cp.async.cg.shared.global [%r10], [%rd10], 16, %r5;"
                     "cp.async.wait_all;");
  EXPECT_EQ((Words{out[4], out[5], out[6], out[7]}), (Words{5, 0, 0, 0}));
  out = copied(ones + "cp.async.cg.shared.global [%r10], [%rd10], 16, %p1; cp.async.wait_all;");
  EXPECT_EQ((Words{out[0], out[3], out[4], out[7]}), (Words{0, 0, 5, 8}));
}

TEST(AsyncCopy, OutOfBoundsAndMisalignedCopiesAreFaults) {
  Machine machine(std::string(kPlaces) +
                      "cp.async.cg.shared.global [%r10], [%rd10+16], 16;"
                      "cp.async.wait_all;",
                  kTile);
  machine.buffer("in", Words(128)).buffer("out", Words(1));
  const Fault fault = onlyFault(machine.run());
  EXPECT_EQ(fault.kind, "out-of-bounds");
  EXPECT_EQ(fault.thread, (Dim3{31, 0, 0}));
  EXPECT_TRUE(has(fault.message, "past the end of in"));
}

/// Element [r][column] of matrix m is 100 m + 10 r + column.
Words matrices(const std::string& form, const std::string& registers) {
  Machine machine(
      "mov.u32 %r10, tile; mov.u32 %r11, 0; shr.u32 %r12, %r31, 3; and.b32 %r13, %r31, 7;\n"
      "mul.lo.u32 %r14, %r12, 100; mad.lo.u32 %r14, %r13, 10, %r14;\n"
      "mad.lo.u32 %r15, %r31, 16, %r10;\n"
      "LOOP: add.u32 %r16, %r14, %r11; cvt.u16.u32 %h1, %r16; mad.lo.u32 %r17, %r11, 2, %r15;\n"
      "st.shared.u16 [%r17], %h1; add.u32 %r11, %r11, 1; setp.lt.u32 %p1, %r11, 8; @%p1 bra LOOP;\n"
      "bar.warp.sync -1; mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 0;\n"
      "ldmatrix.sync.aligned.m8n8." +
          form + ".b16 " + registers +
          ", [%r15];\n"
          "mul.wide.u32 %rd12, %r31, 16; add.s64 %rd11, %rd30, %rd12;\n"
          "st.global.v4.u32 [%rd11], {%r1, %r2, %r3, %r4};",
      kTile, 1);
  machine.buffer("out", Words(128)).runWell();
  return machine.values<uint32_t>(0);
}

TEST(Matrix, LoadsRows) {
  const Words out = matrices("x4.shared", "{%r1, %r2, %r3, %r4}");
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t m = 0; m < 4; ++m) {
      const uint32_t low = 100 * m + 10 * (lane / 4) + 2 * (lane % 4);
      EXPECT_EQ(out[4 * lane + m], low | (low + 1) << 16) << lane << " " << m;
    }
  }
  EXPECT_EQ(matrices("x2.shared", "{%r1, %r2}")[4 * 9 + 1], out[4 * 9 + 1]);
  EXPECT_EQ(matrices("x1.shared", "{%r1}")[4 * 9], out[4 * 9]);
}

TEST(Matrix, LoadsColumnsTransposed) {
  const Words out = matrices("x4.trans.shared", "{%r1, %r2, %r3, %r4}");
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t m = 0; m < 4; ++m) {
      const uint32_t low = 100 * m + 20 * (lane % 4) + lane / 4;
      EXPECT_EQ(out[4 * lane + m], low | (low + 10) << 16) << lane << " " << m;
    }
  }
}

TEST(Spaces, GenericAddressesNameTheirSpace) {
  const auto isIn = [](const std::string& space, const std::string& address) {
    Machine machine(address + " isspacep." + space +
                        " %p1, %rd1; selp.u32 %r1, 1, 0, %p1; st.global.u32 [%rd30], %r1;",
                    std::string(kTile) + ".global .align 4 .u32 word;", 1);
    machine.buffer("out", Words(1)).runWell();
    return machine.values<uint32_t>(0)[0] == 1;
  };
  const std::string shared =
      "mov.u64 %rd2, tile; cvta.shared.u64 %rd1, %rd2; add.s64 %rd1, %rd1, 64;";
  const std::string local =
      "{ .local .align 4 .b8 mine[8]; mov.u64 %rd2, mine; cvta.local.u64 %rd1, %rd2; }";
  const std::string global = "mov.u64 %rd2, word; cvta.global.u64 %rd1, %rd2;";
  const std::string param = "mov.u64 %rd2, p0; cvta.param.u64 %rd1, %rd2;";
  const std::vector<std::pair<std::string, std::string>> all{
      {"shared", shared}, {"local", local}, {"global", global}, {"param", param}};
  for (const auto& [space, ignored] : all) {
    for (const auto& [other, address] : all) {
      EXPECT_EQ(isIn(space, address), space == other) << space << " of " << other;
    }
  }
}

}  // namespace tilestep::simt::copy_test
