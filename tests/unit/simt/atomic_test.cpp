// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "machine.h"
#include "simt/engines.h"
#include "support/results.h"

namespace tilestep::simt::atomic_test {

using Longs = std::vector<uint64_t>;

/// The value at p0 after 32 lanes ran `body`, and the T that each lane stored to its element of p1.
template <class T>
struct Updated {
  T value;
  std::vector<T> old;
};

template <class T>
Updated<T> update(T start, const std::string& body, const std::string& type,
                  const std::string& oldRegister) {
  Machine machine(body + "\nmul.wide.u32 %rd28, %r31, " + std::to_string(sizeof(T)) +
                  ";\nadd.s64 %rd29, %rd31, %rd28;\nst.global." + type + " [%rd29], " +
                  oldRegister + ";");
  machine.buffer("at", std::vector<T>{start}).buffer("old", std::vector<T>(32)).runWell();
  return {machine.values<T>(0)[0], machine.values<T>(1)};
}

Updated<uint32_t> words(uint32_t start, const std::string& form, const std::string& operands) {
  return update<uint32_t>(start, "atom.global." + form + " %r2, [%rd30], " + operands + ";", "u32",
                          "%r2");
}
Updated<uint64_t> longs(uint64_t start, const std::string& form, const std::string& operands) {
  return update<uint64_t>(
      start, "cvt.u64.u32 %rd1, %r31; atom.global." + form + " %rd2, [%rd30], " + operands + ";",
      "u64", "%rd2");
}

/// The old value that each lane gets when all lanes add to one word.
Words ranks(uint64_t order, const std::string& guard = {}) {
  Machine machine("setp.ge.u32 %p1, %r31, 4; mov.u32 %r2, 99;\n" + guard +
                  "atom.global.add.u32 %r2, [%rd30], 1;\nmul.wide.u32 %rd28, %r31, 4;\n"
                  "add.s64 %rd29, %rd31, %rd28; st.global.u32 [%rd29], %r2;");
  machine.buffer("at", Words{0}).buffer("old", Words(32)).order(order).runWell();
  return machine.values<uint32_t>(1);
}

TEST(Atomic, LanesFollowTheRequestedOrder) {
  Words ascending(32);
  std::iota(ascending.begin(), ascending.end(), 0u);
  EXPECT_EQ(ranks(0), ascending);
  for (const uint64_t order : {1, 2, 3, 4}) {
    const Words drawn = ranks(order);
    EXPECT_NE(drawn, ascending) << order;
    EXPECT_EQ(drawn, ranks(order)) << order;
    Words sorted = drawn;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(sorted, ascending) << order;
  }
  EXPECT_NE(ranks(1), ranks(2));
}

TEST(Atomic, OnlyActiveLanesTakePart) {
  for (const uint64_t order : {0, 1, 2}) {
    Words some = ranks(order, "@!%p1 ");
    EXPECT_EQ(std::count(some.begin(), some.end(), 99u), 28) << order;
    std::sort(some.begin(), some.begin() + 4);
    EXPECT_EQ((Words{some.begin(), some.begin() + 4}), (Words{0, 1, 2, 3})) << order;
  }
}

TEST(Atomic, AdditionsOfWordsReturnTheOldValue) {
  const auto sum = words(5, "add.u32", "%r31");
  EXPECT_EQ(sum.value, 5u + 496);
  uint32_t before = 5;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(sum.old[lane], before);
    before += lane;
  }
  EXPECT_EQ(words(0, "relaxed.gpu.add.s32", "-1").value, static_cast<uint32_t>(-32));
  EXPECT_EQ(longs(~0ULL, "add.u64", "%rd1").value, 495u);
}

TEST(Atomic, MinAndMaxRespectTheSign) {
  const std::string negative = "-3";
  EXPECT_EQ(words(7, "min.s32", negative).value, static_cast<uint32_t>(-3));
  EXPECT_EQ(words(7, "min.u32", negative).value, 7u);
  EXPECT_EQ(words(7, "max.s32", negative).value, 7u);
  EXPECT_EQ(words(7, "max.u32", negative).value, static_cast<uint32_t>(-3));
  EXPECT_EQ(words(7, "max.u32", "%r31").value, 31u);
  EXPECT_EQ(longs(7, "min.s64", negative).value, static_cast<uint64_t>(-3));
  EXPECT_EQ(longs(7, "min.u64", negative).value, 7u);
  EXPECT_EQ(longs(7, "max.s64", negative).value, 7u);
  EXPECT_EQ(longs(7, "max.u64", negative).value, static_cast<uint64_t>(-3));
}

TEST(Atomic, IncrementsWrapAndDecrementsRefill) {
  EXPECT_EQ(words(0, "inc.u32", "9").value, 2u);  // 32 steps of 0 … 9.
  EXPECT_EQ(words(0, "inc.u32", "9").old[10], 0u);
  EXPECT_EQ(words(50, "inc.u32", "9").old[1], 0u);
  EXPECT_EQ(words(3, "dec.u32", "9").value, 1u);  // 3 2 1 0 9 8 … by 32.
  EXPECT_EQ(words(3, "dec.u32", "9").old[4], 9u);
  EXPECT_EQ(words(50, "dec.u32", "9").old[1], 9u);
}

TEST(Atomic, ExchangeAndCompareAndSwap) {
  EXPECT_EQ(words(77, "exch.b32", "%r31").old[1], 0u);
  EXPECT_EQ(words(77, "exch.b32", "%r31").value, 31u);
  EXPECT_EQ(words(0, "cas.b32", "%r31, 100").value, 100u);
  EXPECT_EQ(words(8, "cas.b32", "%r31, 100").old[9], 100u);
  EXPECT_EQ(words(99, "cas.b32", "%r31, 100").value, 99u);
  EXPECT_EQ(longs(8, "cas.b64", "%rd1, 1").old[9], 1u);
  EXPECT_EQ(longs(8, "exch.b64", "%rd1").value, 31u);
  const auto half = update<uint16_t>(
      8, "cvt.u16.u32 %h1, %r31; mov.u16 %h3, 500; atom.global.cas.b16 %h2, [%rd30], %h1, %h3;",
      "u16", "%h2");
  EXPECT_EQ(half.value, 500);
  EXPECT_EQ(half.old[9], 500);
}

TEST(Atomic, BitOperations) {
  EXPECT_EQ(words(0xff, "and.b32", "%r31").value, 0u);
  EXPECT_EQ(words(0xff, "and.b32", "0x3c").value, 0x3cu);
  EXPECT_EQ(words(0x100, "or.b32", "%r31").value, 0x11fu);
  EXPECT_EQ(words(0x101, "xor.b32", "1").value, 0x101u);
  EXPECT_EQ(longs(1ULL << 40, "or.b64", "%rd1").value, (1ULL << 40) | 31);
  EXPECT_EQ(longs(~0ULL, "and.b64", "0x7000000000").value, 0x7000000000ULL);
  EXPECT_EQ(longs(0, "xor.b64", "%rd1").value, 0u);
}

TEST(Atomic, FloatsAddInTheOrderOfTheLanes) {
  const auto sum = update<float>(
      0.5F, "cvt.rn.f32.u32 %f1, %r31; atom.global.add.f32 %f2, [%rd30], %f1;", "f32", "%f2");
  EXPECT_EQ(sum.value, 496.5F);
  EXPECT_EQ(sum.old[3], 3.5F);
  const auto wide = update<double>(
      0.25, "cvt.rn.f64.u32 %fd1, %r31; atom.global.add.f64 %fd2, [%rd30], %fd1;", "f64", "%fd2");
  EXPECT_EQ(wide.value, 496.25);
}

TEST(Atomic, FloatAdditionsFlushOnlyInGlobalMemory) {
  const float tiny = std::bit_cast<float>(3u);
  EXPECT_EQ(
      update<float>(tiny, "mov.f32 %f1, 0f00000001; red.global.add.f32 [%rd30], %f1;", "f32", "%f1")
          .value,
      0.0F);
  Machine machine(
      "mov.f32 %f1, 0f00000001; red.shared.add.f32 [cell], %f1; ld.shared.f32 %f2, [cell];\n"
      "st.global.f32 [%rd30], %f2;",
      ".shared .align 4 .b8 cell[4];", 1);
  machine.buffer("out", Words(1)).runWell();
  EXPECT_EQ(machine.values<uint32_t>(0)[0], 32u);
}

TEST(Atomic, HalfTypes) {
  // 1.5 + 32 * 0.5 = 17.5
  EXPECT_EQ(update<uint16_t>(0x3e00,
                             "mov.b16 %h1, 0x3800; atom.global.add.noftz.f16 %h2, [%rd30], "
                             "%h1;",
                             "u16", "%h2")
                .value,
            0x4c60);
  // Each lane adds 2^-24, a subnormal number, to the low half, and -1 to the high half.
  EXPECT_EQ(words(0, "add.noftz.f16x2", "0xbc000001").value, 0xd0000020u);
  EXPECT_EQ(words(0, "add.noftz.bf16x2", "0x3f804000").value, 0x42004280u);
  EXPECT_EQ(update<uint16_t>(0,
                             "mov.b16 %h1, 0x3f80; atom.global.add.noftz.bf16 %h2, [%rd30], "
                             "%h1;",
                             "u16", "%h2")
                .value,
            0x4200);
}

TEST(Atomic, ReductionsSharedGenericAndGuarded) {
  Machine machine(
      "mov.u32 %r1, cell; cvt.u64.u32 %rd1, %r1; cvta.shared.u64 %rd2, %rd1;\n"
      "setp.lt.u32 %p1, %r31, 10; @%p1 red.shared.add.u32 [%r1], 1;\n"
      "@!%p1 red.add.u32 [%rd2], 100; red.release.gpu.global.add.u64 [%rd31], 2;\n"
      "ld.shared.u32 %r3, [cell]; st.global.u32 [%rd30], %r3;",
      ".shared .align 4 .b8 cell[4];");
  machine.buffer("out", Words(1)).buffer("sum", Longs(1)).runWell();
  EXPECT_EQ(machine.values<uint32_t>(0)[0], 2210u);
  EXPECT_EQ(machine.values<uint64_t>(1)[0], 64u);
}

TEST(Atomic, BlocksOnSeveralHostThreadsLoseNoUpdate) {
  for (const Engine* engine : engines()) {
    Machine machine(
        "atom.global.add.u32 %r1, [%rd30], 1; red.global.max.u64 [%rd31], %rd30;\n"
        "red.global.add.f32 [%rd30+4], 0f3F800000; red.global.inc.u32 [%rd30+8], -1;");
    machine.buffer("sum", Words(3))
        .buffer("max", Longs(1))
        .grid(500)
        .block(64)
        .threads(4)
        .engine(engine)
        .runWell();
    EXPECT_EQ(machine.values<uint32_t>(0),
              (Words{32000, std::bit_cast<uint32_t>(32000.0F), 32000}));
    EXPECT_EQ(machine.values<uint64_t>(1)[0], addressOf(0));
  }
}

TEST(Atomic, IsNotCountedAsALoadOrStore) {
  Machine machine("atom.global.add.u32 %r1, [%rd30], 1; red.shared.add.u32 [cell], 1;",
                  ".shared .align 4 .b8 cell[4];", 1);
  machine.buffer("sum", Words(1)).counted();
  const trace::Counters total = machine.runWell().counters->total;
  EXPECT_EQ(total.globalLoad, trace::GlobalCounts{});
  EXPECT_EQ(total.globalStore, trace::GlobalCounts{});
  EXPECT_EQ(total.sharedLoad, trace::SharedCounts{});
  EXPECT_EQ(total.sharedStore, trace::SharedCounts{});
  EXPECT_EQ(total.warpInstructions, 5u);
}

TEST(Atomic, IsTracedWithItsAddresses) {
  Machine machine(
      "shl.b32 %r1, %r31, 2; cvt.u64.u32 %rd1, %r1; add.s64 %rd1, %rd30, %rd1;\n"
      "red.global.add.u32 [%rd1], 1;",
      "", 1);
  machine.buffer("sum", Words(32)).traced();
  const GridResult result = machine.runWell();
  ASSERT_EQ(result.trace->size(), 1u);
  const trace::TraceEvent event = result.trace->event(0);
  EXPECT_EQ(event.operation, trace::Operation::atomic);
  EXPECT_EQ(event.width, 4);
  EXPECT_EQ(event.offsets[31], 124u);
  EXPECT_TRUE(event.values.empty());
}

TEST(Atomic, OutOfBoundsAndMisalignedOperationsAreFaults) {
  for (const auto& [offset, kind] : std::vector<std::pair<std::string, std::string>>{
           {"8", "out-of-bounds"}, {"1", "misaligned"}}) {
    Machine machine("atom.global.add.u32 %r1, [%rd30+" + offset + "], 1;", "", 1);
    machine.buffer("sum", Words(2));
    const Fault fault = onlyFault(machine.run());
    EXPECT_EQ(fault.kind, kind);
    EXPECT_EQ(fault.count, 32u);
    EXPECT_TRUE(has(fault.message, "atomic"));
    EXPECT_EQ(machine.values<uint32_t>(0)[0], 0u);
  }
}

}  // namespace tilestep::simt::atomic_test
