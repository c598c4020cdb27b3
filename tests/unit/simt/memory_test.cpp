// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numeric>

#include "machine.h"
#include "support/results.h"

namespace tilestep::simt::memory_test {

using Longs = std::vector<uint64_t>;

Words count(size_t size) {
  Words values(size);
  std::iota(values.begin(), values.end(), 0u);
  return values;
}

TEST(Memory, VectorsAreLoadedAndStored) {
  Machine machine(
      "mul.wide.u32 %rd1, %r31, 16; add.s64 %rd2, %rd30, %rd1;\n"
      "add.s64 %rd3, %rd31, %rd1; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd2];\n"
      "st.global.v2.u32 [%rd3], {%r4, %r3}; st.global.v2.u32 [%rd3+8], {%r2, %r1};");
  machine.buffer("in", count(128)).buffer("out", Words(128)).runWell();
  const auto out = machine.values<uint32_t>(1);
  for (uint32_t i = 0; i < 128; ++i) EXPECT_EQ(out[i], i / 4 * 4 + 3 - i % 4);
}

TEST(Memory, AVectorMayLoadItsOwnAddress) {
  Machine machine(
      "mul.wide.u32 %rd1, %r31, 16; add.s64 %rd2, %rd30, %rd1;\n"
      "ld.global.v2.u64 {%rd2, %rd3}, [%rd2]; add.s64 %rd4, %rd31, %rd1;\n"
      "st.global.v2.u64 [%rd4], {%rd3, %rd2};");
  machine.buffer("in", count(128)).buffer("out", Words(128)).runWell();
  const auto out = machine.values<uint32_t>(1);
  EXPECT_EQ(out[0], 2u);
  EXPECT_EQ(out[127], 125u);
}

/// Every lane reads element f(lane) of 0, 1, 2, …
void expectGather(const std::string& index, uint32_t (*f)(uint32_t)) {
  Machine machine(index +
                  " mul.wide.u32 %rd1, %r1, 4; add.s64 %rd2, %rd30, %rd1;\n"
                  "ld.global.u32 %r2, [%rd2]; mul.wide.u32 %rd1, %r31, 4;\n"
                  "add.s64 %rd3, %rd31, %rd1; st.global.u32 [%rd3], %r2;");
  machine.buffer("in", count(1024)).buffer("out", Words(32)).runWell();
  const auto out = machine.values<uint32_t>(1);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], f(i)) << index << " lane " << i;
}

TEST(Memory, GathersWithEveryPatternOfAddresses) {
  expectGather("mov.u32 %r1, 7;", [](uint32_t) { return 7u; });
  expectGather("mov.u32 %r1, %r31;", [](uint32_t i) { return i; });
  expectGather("xor.b32 %r1, %r31, 31;", [](uint32_t i) { return 31 - i; });
  expectGather("mul.lo.u32 %r1, %r31, 3;", [](uint32_t i) { return 3 * i; });
  expectGather("shr.u32 %r1, %r31, 4;", [](uint32_t i) { return i / 16; });
  expectGather("shr.u32 %r1, %r31, 3; mul.lo.u32 %r1, %r1, 50;",
               [](uint32_t i) { return i / 8 * 50; });
  expectGather("and.b32 %r1, %r31, 15;", [](uint32_t i) { return i % 16; });
  expectGather("and.b32 %r1, %r31, 3; shr.u32 %r2, %r31, 2; mad.lo.u32 %r1, %r2, 100, %r1;",
               [](uint32_t i) { return i / 4 * 100 + i % 4; });
  expectGather("mul.lo.u32 %r1, %r31, %r31; rem.u32 %r1, %r1, 37;",
               [](uint32_t i) { return i * i % 37; });
}

TEST(Memory, StoresScatterAndTheLastLaneWins) {
  Machine machine(
      "shr.u32 %r1, %r31, 1; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd2, %rd30, %rd1;\n"
      "st.global.u32 [%rd2], %r31;",
      "", 1);
  machine.buffer("out", Words(16)).runWell();
  const auto out = machine.values<uint32_t>(0);
  for (uint32_t i = 0; i < 16; ++i) EXPECT_EQ(out[i], 2 * i + 1);
}

TEST(Memory, GenericAddressesReachTheirSpace) {
  Machine machine = Machine::ofText(
      ".visible .entry test(.param .u64 a, .param .u64 b) {\n"
      ".reg .b32 %r<32>; .reg .b64 %rd<32>; .reg .pred %p<4>;\n"
      ".shared .align 4 .b8 tile[128]; .local .align 4 .b8 own[16];\n"
      "ld.param.u64 %rd30, [a]; ld.param.u64 %rd31, [b]; mov.u32 %r31, %tid.x;\n"
      "mul.wide.u32 %rd1, %r31, 4; mov.u64 %rd2, tile; cvta.shared.u64 %rd3, %rd2;\n"
      "add.s64 %rd3, %rd3, %rd1; st.u32 [%rd3], %r31; bar.sync 0;\n"
      "cvta.to.shared.u64 %rd4, %rd3; ld.shared.u32 %r1, [%rd4];\n"
      "mov.u64 %rd5, own; cvta.local.u64 %rd6, %rd5; add.u32 %r1, %r1, 1;\n"
      "st.u32 [%rd6+4], %r1; ld.local.u32 %r2, [own+4];\n"
      "add.s64 %rd7, %rd30, %rd1; setp.lt.u32 %p1, %r31, 16;\n"
      "selp.b64 %rd8, %rd7, %rd3, %p1; st.u32 [%rd8], %r2;\n"
      "ld.shared.u32 %r3, [%rd4]; add.s64 %rd9, %rd31, %rd1; st.u32 [%rd9], %r3; ret; }",
      "test");
  machine.buffer("a", Words(32)).buffer("b", Words(32)).counted();
  const GridResult result = machine.runWell();
  for (uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(machine.values<uint32_t>(0)[i], i < 16 ? i + 1 : 0);
    EXPECT_EQ(machine.values<uint32_t>(1)[i], i < 16 ? i : i + 1);
  }
  EXPECT_EQ(result.counters->total.sharedStore.requests, 2u);
  EXPECT_EQ(result.counters->total.globalStore.threads, 48u);
}

TEST(Memory, ParametersAndConstants) {
  Machine machine = Machine::ofText(
      ".const .align 4 .b8 table[8] = {1, 0, 0, 0, 2, 1, 0, 0};\n"
      ".global .align 4 .u32 counter = 7;\n"
      ".visible .entry test(.param .u64 out, .param .u32 n, .param .u16 h) {\n"
      ".reg .b32 %r<32>; .reg .b64 %rd<32>; .reg .b16 %h<4>;\n"
      "ld.param.u64 %rd30, [out]; mov.b64 %rd1, n; ld.param.u32 %r1, [%rd1];\n"
      "ld.param.s16 %r2, [h]; ld.const.u32 %r3, [table+4]; ld.global.u32 %r4, [counter];\n"
      "add.u32 %r4, %r4, 1; st.global.u32 [counter], %r4; ld.global.u32 %r5, [counter];\n"
      "st.global.v4.u32 [%rd30], {%r1, %r2, %r3, %r5}; ret; }",
      "test");
  machine.buffer("out", Words(4));
  machine.request.parameters.push_back(99);
  machine.request.parameters.push_back(0xfffe);
  machine.runWell();
  EXPECT_EQ(machine.values<uint32_t>(0), (Words{99, 0xfffffffe, 0x102, 8}));
}

TEST(Memory, DynamicSharedArraysShareOneAddress) {
  Machine machine(
      "mov.u32 %r1, one; mov.u32 %r2, two; sub.u32 %r3, %r1, %r2;\n"
      "st.shared.u32 [%r1+60], %r3; ld.shared.u32 %r4, [two+60];\n"
      "st.global.u32 [%rd30], %r4; st.global.u32 [%rd30+4], %r1;",
      ".shared .align 4 .b8 fixed[20];\n.extern .shared .align 16 .b8 one[];\n"
      ".extern .shared .align 4 .b8 two[];",
      1);
  machine.buffer("out", Words{1, 1});
  machine.request.launch.dynamicSharedBytes = 64;
  EXPECT_EQ(machine.runWell().sharedBytes, 64u);
  EXPECT_EQ(machine.values<uint32_t>(0), (Words{0, 0}));
}

TEST(Faults, MessagesNameTheSourceLine) {
  Machine machine = Machine::ofText(
      ".file 1 \"k.cu\"\n"
      ".visible .entry test(.param .u64 a) {\n.reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd1, [a];\n.loc 1 42 7\nld.global.u32 %r1, [%rd1+64];\n"
      ".loc 1 43 7\nst.global.u32 [%rd1+64], %r1;\nret; }",
      "test");
  machine.buffer("a", Words(1)).block(3, 2);
  const auto faults = machine.run().faults;
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_EQ(faults[0].line, 42u);
  EXPECT_EQ(faults[0].count, 6u);
  EXPECT_EQ(faults[1].line, 43u);
  EXPECT_TRUE(has(faults[1].message, "line 43"));
}

TEST(Faults, MisalignedLanesAreNotCounted) {
  Machine machine(
      "mul.wide.u32 %rd1, %r31, 4; add.s64 %rd2, %rd30, %rd1;\n"
      "ld.global.v2.u32 {%r1, %r2}, [%rd2];");
  machine.buffer("in", Words(64)).buffer("out", Words(1)).counted();
  const trace::GlobalCounts loads = machine.run().counters->total.globalLoad;
  EXPECT_EQ(loads, (trace::GlobalCounts{16, 1, 4, 128, 128}));
}

TEST(Faults, TheAccessIsSkipped) {
  Machine machine(
      "mul.wide.u32 %rd1, %r31, 4; add.s64 %rd2, %rd30, %rd1; mov.u32 %r1, 9;\n"
      "ld.global.u32 %r1, [%rd2]; add.s64 %rd3, %rd31, %rd1;\n"
      "st.global.u32 [%rd3], %r1;");
  machine.buffer("in", Words{5, 6}).buffer("out", Words(32, 1));
  machine.run();
  const auto out = machine.values<uint32_t>(1);
  EXPECT_EQ(out[1], 6u);
  EXPECT_EQ(out[2], 0u);
}

TEST(Memory, TheShadowMarksWrittenBytes) {
  Machine machine(
      "setp.lt.u32 %p1, %r31, 3; mul.wide.u32 %rd1, %r31, 4;\n"
      "add.s64 %rd2, %rd30, %rd1; @%p1 st.global.u16 [%rd2], %r31;",
      "", 1);
  machine.buffer("out", Words(32));
  std::vector<uint8_t> shadow(128);
  machine.request.buffers[0].shadow = shadow.data();
  machine.runWell();
  for (size_t i = 0; i < 128; ++i) EXPECT_EQ(shadow[i], i < 12 && i % 4 < 2) << i;
}

TEST(Memory, NarrowAccessesExtendAndTruncate) {
  EXPECT_EQ(evaluate<uint32_t>("s8", "%r1", "mov.u32 %r2, %r1;", "u32", "%r2",
                               std::vector<uint8_t>{0x80}),
            (Words{0xffffff80}));
  EXPECT_EQ(evaluate<uint64_t>("s16", "%rd1", "mov.u64 %rd2, %rd1;", "u64", "%rd2",
                               std::vector<uint16_t>{0x8000}),
            (Longs{0xffffffffffff8000ull}));
  EXPECT_EQ(
      evaluate<uint64_t>("u32", "%rd1", "mov.u64 %rd2, %rd1;", "u64", "%rd2", Words{0xffffffff}),
      (Longs{0xffffffffull}));
  EXPECT_EQ(evaluate<uint16_t>("u32", "%r1", "", "u16", "%r1", Words{0x12345678}),
            (std::vector<uint16_t>{0x5678}));
  EXPECT_EQ(evaluate<uint8_t>("u64", "%rd1", "", "u8", "%rd1", Longs{0x1122334455667788}),
            (std::vector<uint8_t>{0x88}));
}

}  // namespace tilestep::simt::memory_test
