// SPDX-License-Identifier: Apache-2.0
// Whole grids. Products are compared with float64, counters with formulas and with the trace, and
// results of different threads, orders and instruction sets with each other.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/files.h"
#include "machine.h"
#include "simt/engines.h"
#include "support/source_root.h"
#include "trace/tally.h"

namespace tilestep::simt::grid_test {

constexpr uint32_t kTile = 16;

struct Sizes {
  uint32_t m, n, k;
};

std::vector<float> numbers(size_t count, uint32_t seed) {
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values.push_back(static_cast<float>(seed >> 8) * 0x1p-23F - 1.0F);
  }
  return values;
}

Machine product(const std::string& kernel, Sizes s) {
  const std::string file = kernel == "matmul_tiled" ? "matmul_tiled_16" : kernel;
  const auto text = readTextFile(support::sourceRoot() + "/bench/data/" + file + ".ptx");
  Machine machine = Machine::ofText(text.value(), kernel);
  machine.buffer("M", numbers(size_t{s.m} * s.k, 1))
      .buffer("N", numbers(size_t{s.k} * s.n, 2))
      .buffer("P", std::vector<float>(size_t{s.m} * s.n, NAN));
  for (const uint32_t size : {s.m, s.n, s.k}) machine.request.parameters.push_back(size);
  machine.block(kTile, kTile);
  machine.request.launch.grid = {static_cast<uint32_t>(ceilDiv(s.n, kTile)),
                                 static_cast<uint32_t>(ceilDiv(s.m, kTile)), 1};
  machine.counted();
  return machine;
}

void expectProduct(const Machine& machine, Sizes s) {
  const auto m = machine.values<float>(0), n = machine.values<float>(1);
  const auto p = machine.values<float>(2);
  for (uint32_t row = 0; row < s.m; ++row) {
    for (uint32_t col = 0; col < s.n; ++col) {
      double sum = 0, magnitude = 0;
      for (uint32_t i = 0; i < s.k; ++i) {
        const double term = double{m[row * s.k + i]} * n[i * s.n + col];
        sum += term;
        magnitude += std::fabs(term);
      }
      const double error = std::fabs(p[row * s.n + col] - sum);
      ASSERT_LE(error, magnitude * 0x1p-22 * std::sqrt(s.k)) << row << ", " << col;
    }
  }
}

TEST(Grid, ProductsAreRightForOddSizes) {
  for (const Sizes s : {Sizes{1, 1, 1}, {7, 7, 7}, {33, 33, 33}, {100, 37, 61}, {16, 48, 5}}) {
    for (const char* kernel : {"matmul_tiled", "matmul_naive"}) {
      Machine machine = product(kernel, s);
      machine.runWell();
      expectProduct(machine, s);
    }
  }
}

TEST(Grid, CountsOfTheTiledProductFollowTheFormula) {
  const uint64_t size = 64, phases = size / kTile, warps = size * size / 32;
  const auto counters = product("matmul_tiled", {64, 64, 64}).runWell().counters;
  const trace::Counters& total = counters->total;
  EXPECT_EQ(total.globalLoad.requests, 2 * warps * phases);
  EXPECT_EQ(total.globalLoad.sectors, 4 * total.globalLoad.requests);
  EXPECT_EQ(total.globalLoad.threads, 32 * total.globalLoad.requests);
  EXPECT_EQ(total.globalLoad.distinctBytes, total.globalLoad.bytes);
  EXPECT_EQ(total.globalStore.requests, warps);
  EXPECT_EQ(total.globalStore.sectors, 4 * warps);
  EXPECT_EQ(total.sharedStore.requests, 2 * warps * phases);
  EXPECT_EQ(total.sharedLoad.requests, 2 * kTile * warps * phases);
  EXPECT_EQ(total.sharedLoad.wavefronts, total.sharedLoad.requests);
  EXPECT_EQ(total.sharedLoad.bankConflicts, 0u);
  EXPECT_EQ(total.barriers, 2 * phases * warps);
  EXPECT_EQ(total.ffma, size * size * size);
  EXPECT_EQ(total.fadd, 0u);
  EXPECT_EQ(total.warpInstructions, total.threadInstructions / 32);
  EXPECT_EQ(total.divergentBranches, 0u);
  ASSERT_EQ(counters->epochs.size(), 2 * phases + 1);
  EXPECT_EQ(counters->epochs[0].globalLoad.requests, 2 * warps);
  EXPECT_EQ(counters->epochs[1].ffma, size * size * kTile);
  EXPECT_EQ(counters->epochs.back().globalStore.requests, warps);
}

TEST(Grid, CountsOfTheNaiveProductFollowTheFormula) {
  const uint64_t size = 64, warps = size * size / 32;
  const trace::Counters total = product("matmul_naive", {64, 64, 64}).runWell().counters->total;
  EXPECT_EQ(total.globalLoad.requests, 2 * warps * size);
  // A warp is two rows of 16 lanes, which load two elements of M in two sectors, and 64 bytes of N.
  EXPECT_EQ(total.globalLoad.sectors, (2 + 2) * warps * size);
  EXPECT_EQ(total.globalLoad.distinctBytes, (8 + 64) * warps * size);
  EXPECT_EQ(total.ffma, size * size * size);
}

TEST(Grid, NothingDependsOnThreadsOrderOrInstructionSet) {
  const Sizes s{70, 45, 50};
  for (const char* kernel : {"matmul_tiled", "matmul_naive"}) {
    Machine reference = product(kernel, s);
    const GridResult expected = reference.runWell();
    for (const Engine* engine : engines()) {
      for (const unsigned threads : {1U, 3U}) {
        for (const uint64_t order : {0, 7}) {
          Machine machine = product(kernel, s);
          machine.threads(threads).order(order).engine(engine);
          const GridResult result = machine.runWell();
          EXPECT_EQ(machine.values<uint32_t>(2), reference.values<uint32_t>(2)) << engine->name;
          EXPECT_TRUE(*result.counters == *expected.counters) << engine->name;
        }
      }
    }
  }
}

/// The sum of the tallies of all blocks' traces, which must equal the counters.
trace::Tally tallyOfAllBlocks(const std::string& kernel, Sizes s) {
  trace::Tally sum;
  const Dim3 grid = product(kernel, s).request.launch.grid;
  for (uint32_t y = 0; y < grid.y; ++y) {
    for (uint32_t x = 0; x < grid.x; ++x) {
      Machine machine = product(kernel, s);
      machine.traced(TraceOptions{{x, y, 0}, size_t{64} << 20, true, {}});
      const GridResult result = machine.runWell();
      EXPECT_FALSE(result.trace->truncated());
      EXPECT_FALSE(result.trace->uneven);
      sum += trace::tallyOf(*result.trace);
    }
  }
  return sum;
}

TEST(Trace, EventsAddUpToTheCounters) {
  for (const Sizes s : {Sizes{33, 20, 17}, {32, 32, 32}}) {
    for (const char* kernel : {"matmul_tiled", "matmul_naive"}) {
      const trace::Counters total = product(kernel, s).runWell().counters->total;
      const trace::Tally tally = tallyOfAllBlocks(kernel, s);
      EXPECT_TRUE(tally.counters.globalLoad == total.globalLoad) << kernel;
      EXPECT_TRUE(tally.counters.globalStore == total.globalStore) << kernel;
      EXPECT_TRUE(tally.counters.sharedLoad == total.sharedLoad) << kernel;
      EXPECT_TRUE(tally.counters.sharedStore == total.sharedStore) << kernel;
      EXPECT_EQ(tally.counters.barriers, total.barriers) << kernel;
      EXPECT_EQ(tally.accumulates, total.ffma) << kernel;
    }
  }
}

TEST(Trace, ContainsOffsetsAndValues) {
  const Sizes s{16, 16, 16};
  Machine machine = product("matmul_tiled", s);
  machine.traced();
  const GridResult result = machine.runWell();
  const trace::BlockTrace& recording = *result.trace;
  ASSERT_EQ(recording.sharedArrays.size(), 2u);
  EXPECT_EQ(recording.sharedArrays[1].offset, 1024u);
  EXPECT_EQ(recording.accumulators, 1u);
  const auto m = machine.values<float>(0), p = machine.values<float>(2);
  bool loaded = false, stored = false;
  float sum = 0;
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    if (event.warp != 1 || event.width != 4) continue;
    float value = 0;
    std::memcpy(&value, event.values.data() + 4 * 3, 4);
    if (event.operation == trace::Operation::accumulate) sum = value;
    if (event.space != trace::Space::global) continue;
    if (event.operation == trace::Operation::load && event.buffer == 0) {
      // Warp 1 holds rows 2 and 3 of the tile.
      EXPECT_EQ(event.offsets[3], (2u * 16 + 3) * 4);
      EXPECT_EQ(value, m[2 * 16 + 3]);
      EXPECT_EQ(event.epoch, 0u);
      loaded = true;
    }
    if (event.operation == trace::Operation::store) {
      EXPECT_EQ(event.buffer, 2);
      EXPECT_EQ(value, p[2 * 16 + 3]);
      EXPECT_EQ(value, sum);
      EXPECT_EQ(event.epoch, 2u);
      stored = true;
    }
  }
  EXPECT_TRUE(loaded);
  EXPECT_TRUE(stored);
}

TEST(Counters, BankConflictsAndDivergence) {
  // Lanes are 8 words apart, so 4 banks serve 8 lanes each.
  Machine machine(
      "shl.b32 %r1, %r31, 5; mov.u32 %r2, tile; add.u32 %r1, %r1, %r2;\n"
      "st.shared.u32 [%r1], %r31; ld.shared.u32 %r3, [tile];\n"
      "setp.lt.u32 %p1, %r31, 9; @%p1 bra SKIP; ld.shared.v4.u32 {%r4, %r5, %r6, %r7},"
      "[tile+16];\nSKIP: setp.lt.u32 %p1, %r31, 99; @%p1 bra END;\nEND:",
      ".shared .align 16 .b8 tile[1024];", 0);
  machine.counted();
  const GridResult result = machine.runWell();
  const trace::Counters total = result.counters->total;
  EXPECT_EQ(total.sharedStore.wavefronts, 8u);
  EXPECT_EQ(total.sharedStore.bankConflicts, 7u);
  EXPECT_EQ(total.sharedLoad.requests, 2u);
  EXPECT_EQ(total.sharedLoad.wavefronts, 2u);
  EXPECT_EQ(total.sharedLoad.bankConflicts, 0u);
  EXPECT_EQ(total.branches, 2u);
  EXPECT_EQ(total.divergentBranches, 1u);
  EXPECT_EQ(result.branches.reached.size(), 2u);
  EXPECT_EQ(result.branches.parted.size(), 1u) << "all lanes take the second branch";
  EXPECT_EQ(*total.warpInstructions, 12u);
  EXPECT_EQ(total.threadInstructions, 11u * 32 + 23);
}

TEST(Counters, FloatsByKindAndGuard) {
  Machine machine(
      "setp.lt.u32 %p1, %r31, 3; add.f32 %f1, %f2, %f3; sub.f32 %f1, %f1, %f2;\n"
      "mul.f32 %f1, %f1, %f1; @%p1 fma.rn.f32 %f1, %f1, %f1, %f2;\n"
      "add.f64 %fd1, %fd1, %fd2;",
      "", 0);
  machine.block(20).grid(2).counted();
  const trace::Counters total = machine.runWell().counters->total;
  EXPECT_EQ(total.fadd, 80u);
  EXPECT_EQ(total.fmul, 40u);
  EXPECT_EQ(total.ffma, 6u);
  EXPECT_EQ(total.threadInstructions, 8u * 40);
}

TEST(Counters, SectorsDependOnWhereARequestBegins) {
  for (const uint32_t start : {0u, 1u, 7u, 8u}) {
    Machine machine("add.u32 %r1, %r31, " + std::to_string(start) +
                        "; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd2, %rd30, %rd1;\n"
                        "ld.global.u32 %r2, [%rd2];",
                    "", 1);
    machine.buffer("in", std::vector<uint32_t>(64)).counted();
    EXPECT_EQ(machine.runWell().counters->total.globalLoad.sectors, start % 8 == 0 ? 4u : 5u);
  }
}

TEST(Grid, InvalidLaunchesAreRefused) {
  Machine machine("", "", 0);
  machine.request.launch.entry = "other";
  EXPECT_FALSE(runGrid(machine.request, {}).ok());
  machine.request.launch.entry = "test";
  machine.block(1025);
  EXPECT_FALSE(runGrid(machine.request, {}).ok());
  machine.block(32).traced(TraceOptions{{1, 0, 0}, 1000, false, {}});
  EXPECT_FALSE(runGrid(machine.request, {}).ok());
  machine.request.trace.reset();
  machine.request.parameters.push_back(1);
  EXPECT_FALSE(runGrid(machine.request, {}).ok());
}

}  // namespace tilestep::simt::grid_test
