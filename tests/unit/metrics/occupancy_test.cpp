// SPDX-License-Identifier: Apache-2.0
#include "metrics/occupancy.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "metrics/occupancy_curve.h"

namespace tilestep::metrics::occupancy_test {

constexpr uint32_t kKilo = 1024;

Multiprocessor geforce8800() {
  return {.major = 1,
          .minor = 0,
          .threads = 768,
          .blocks = 8,
          .registers = 8192,
          .sharedBytes = 16 * kKilo,
          .threadsPerBlock = 512,
          .sharedBytesPerBlock = 16 * kKilo};
}
Multiprocessor a100() {
  return {.major = 8,
          .minor = 0,
          .threads = 2048,
          .blocks = 32,
          .registers = 65536,
          .sharedBytes = 164 * kKilo,
          .sharedBytesReservedPerBlock = kKilo,
          .threadsPerBlock = 1024,
          .sharedBytesPerBlock = 163 * kKilo};
}
Multiprocessor h200() {
  Multiprocessor device = a100();
  device.major = 9;
  device.sharedBytes = 228 * kKilo;
  device.sharedBytesPerBlock = 227 * kKilo;
  return device;
}
uint32_t blocksBy(const Occupancy& occupancy, const std::string& name) {
  for (const ResourceLimit& limit : occupancy.limits) {
    if (limit.name == name) return limit.blocks;
  }
  return 0;
}
uint32_t residentThreads(const Occupancy& occupancy) {
  return occupancy.warps * 32;
}
Occupancy squareTile(const Multiprocessor& device, uint32_t width) {
  return occupancy(device, {width * width, 32, 8 * width * width});
}

TEST(Occupancy, TenRegistersFillThe8800AndElevenCostABlock) {
  EXPECT_EQ(residentThreads(occupancy(geforce8800(), {256, 10, 0})), 768U);
  const Occupancy eleven = occupancy(geforce8800(), {256, 11, 0});
  EXPECT_EQ(residentThreads(eleven), 512U);
  EXPECT_EQ(eleven.limiters, std::vector<std::string>{"registers"});
}

TEST(Occupancy, The8800LimitsSixteenWideTilesByThreadsNotBySharedMemory) {
  const Occupancy tile = occupancy(geforce8800(), {256, 10, 2 * kKilo});
  EXPECT_EQ(blocksBy(tile, "shared memory"), 8U);
  EXPECT_EQ(tile.blocks, 3U);
  EXPECT_NE(std::find(tile.limiters.begin(), tile.limiters.end(), "threads"), tile.limiters.end());
}

TEST(Occupancy, TheReservedKilobyteCostsTheA100ABlock) {
  Multiprocessor textbook = a100();
  textbook.sharedBytesReservedPerBlock = 0;
  EXPECT_DOUBLE_EQ(occupancy(textbook, {256, 0, 32 * kKilo}).ratio(), 0.625);
  const Occupancy real = occupancy(a100(), {256, 0, 32 * kKilo});
  EXPECT_EQ(real.blocks, 4U);
  EXPECT_DOUBLE_EQ(real.ratio(), 0.5);
  EXPECT_EQ(real.limiters, std::vector<std::string>{"shared memory"});
}

TEST(Occupancy, TheH200SawtoothOfTileWidths) {
  EXPECT_NEAR(squareTile(h200(), 24).ratio(), 0.84, 0.005);
  EXPECT_NEAR(squareTile(h200(), 26).ratio(), 0.69, 0.005);
  EXPECT_NEAR(squareTile(h200(), 28).ratio(), 0.78, 0.005);
  EXPECT_DOUBLE_EQ(squareTile(h200(), 32).ratio(), 1);
}

TEST(Occupancy, RegistersAreAllocatedInUnitsOf256PerWarp) {
  EXPECT_EQ(allocatedRegisters(h200(), {32, 33, 0}), 1280U);
  EXPECT_EQ(allocatedRegisters(h200(), {32, 40, 0}), 1280U);
  // 65536 / 4 / 1280 = 12 warps in each partition.
  EXPECT_EQ(occupancy(h200(), {32, 33, 0}).limits[1].blocks, 48U);
}

TEST(Occupancy, UnknownResourcesLimitNothing) {
  const Occupancy known = occupancy({.major = 9, .threads = 2048}, {1024, 255, 65536});
  EXPECT_EQ(known.limits.size(), 1U);
  EXPECT_EQ(known.blocks, 2U);
}

TEST(Occupancy, TextbookLimitsIgnoreWarpsUnitsAndReservedBytes) {
  // 32 KB per block of 256 threads. The textbook fits five blocks into 164 KB; CUDA fits four.
  const Occupancy big = occupancy(a100(), {256, 0, 32 * kKilo});
  EXPECT_EQ(big.textbookBlocks, 5U);
  EXPECT_EQ(big.blocks, 4U);
  // 82 bytes of shared memory per thread; tiling uses 8.
  EXPECT_EQ(a100().sharedBytes / a100().threads, 82U);
  // 26 * 26 threads. The textbook fits three blocks of 676 threads, but only two of 22 warps fit.
  const Occupancy tile = squareTile(h200(), 26);
  EXPECT_EQ(tile.limits[0].textbookBlocks, 3U);
  EXPECT_EQ(tile.limits[0].blocks, 2U);
  EXPECT_EQ(whyNotTextbook(h200(), {676, 32, 5408}, tile.limits[0]),
            "676 threads take 22 whole warps, as 704 do");
}

TEST(Occupancy, ArgumentsAreInSharedMemoryOnlyOnThe8800) {
  EXPECT_EQ(allocatedSharedBytes(geforce8800(), {256, 10, 2 * kKilo, 36}), 2560U);
  const Occupancy tile = occupancy(geforce8800(), {256, 10, 2 * kKilo, 36});
  EXPECT_EQ(blocksBy(tile, "shared memory"), 6U);
  EXPECT_EQ(tile.limits[2].textbookBlocks, 8U);
  EXPECT_EQ(tile.blocks, 3U);
  EXPECT_EQ(allocatedSharedBytes(h200(), {256, 10, 2 * kKilo, 36}), 3 * kKilo);
}

TEST(Occupancy, ABlockWithTooManyRegistersIsRefused) {
  const Occupancy many = occupancy(h200(), {1024, 65, 0});
  EXPECT_EQ(many.blocks, 0U);
  EXPECT_TRUE(many.limiters.empty());
  EXPECT_EQ(many.refusal, "a block needs 73,728 registers; this device allows at most 65,536");
  EXPECT_EQ(occupancy(h200(), {32, 256, 0}).refusal,
            "a thread has 256 registers; this device allows at most 255");
  EXPECT_EQ(occupancy(geforce8800(), {32, 125, 0}).refusal,
            "a thread has 125 registers; this device allows at most 124");
}

TEST(Occupancy, ResidentWarpsEqualsOccupancyWarps) {
  for (const Multiprocessor& device : {geforce8800(), a100(), h200()}) {
    for (uint32_t threads = 1; threads <= 1024; threads += 37) {
      for (const uint32_t registers : {0U, 10U, 33U, 70U, 200U, 255U}) {
        for (const uint32_t bytes : {0U, 1U, 5000U, 16000U, 60000U}) {
          const BlockNeeds needs{threads, registers, bytes};
          EXPECT_EQ(residentWarps(device, needs), occupancy(device, needs).warps);
        }
      }
    }
  }
}

uint32_t at(const std::vector<CurvePoint>& curve, uint64_t x) {
  uint32_t warps = 0;
  for (const CurvePoint& point : curve) {
    if (point.x <= x) warps = point.warps;
  }
  return warps;
}

TEST(OccupancyCurve, StepsAgreeWithOccupancy) {
  for (const Multiprocessor& device : {geforce8800(), a100(), h200()}) {
    const BlockNeeds needs{192, 20, 3000, 36};
    const auto threads = overThreads(device, needs), registers = overRegisters(device, needs),
               bytes = overSharedBytes(device, needs);
    EXPECT_EQ(threads.back().x, device.threadsPerBlock);
    EXPECT_EQ(registers.back().x, maxRegistersPerThread(device));
    EXPECT_EQ(bytes.back().x, device.sharedBytesPerBlock);
    for (uint32_t x = 1; x <= device.threadsPerBlock; ++x) {
      ASSERT_EQ(at(threads, x), residentWarps(device, {x, 20, 3000, 36})) << x;
    }
    for (uint32_t x = 1; x <= maxRegistersPerThread(device); ++x) {
      ASSERT_EQ(at(registers, x), residentWarps(device, {192, x, 3000, 36})) << x;
    }
    for (uint32_t x = 0; x <= device.sharedBytesPerBlock; x += 7) {
      ASSERT_EQ(at(bytes, x), residentWarps(device, {192, 20, x, 36})) << x;
    }
  }
}

TEST(OccupancyCurve, TheResourceThatPreventsAnotherBlockIsNamed) {
  const auto why = [](const Multiprocessor& device, const BlockNeeds& needs) {
    return whyNotMore(device, needs, occupancy(device, needs));
  };
  EXPECT_EQ(why(h200(), {289, 32, 2312}),
            "threads: a block takes 10 whole warps, and 4 of 64 are left; registers: a block takes "
            "10,240 of 65,536 (10 warps of 1,024, each from one of the multiprocessor's "
            "partitions), so 6 blocks fit");
  EXPECT_EQ(why(h200(), {16, 32, 128}),
            "blocks: a multiprocessor holds 32 at most, however small they are");
  EXPECT_EQ(why(a100(), {256, 0, 32 * kKilo}),
            "shared memory: a block takes 33,792 B, and 32,768 of 167,936 B are left");
  EXPECT_EQ(why(geforce8800(), {1024, 10, 8 * kKilo}),
            "a block has 1024 threads; this device allows at most 512");
}

TEST(Occupancy, ComputeCapabilityIsMajorDotMinor) {
  EXPECT_EQ(parseComputeCapability("12.1")->major, 12);
  EXPECT_EQ(parseComputeCapability("12.1")->minor, 1);
  for (const char* bad : {"", "9", "9.", ".0", "9.0a", "x"}) {
    EXPECT_FALSE(parseComputeCapability(bad)) << bad;
  }
}

}  // namespace tilestep::metrics::occupancy_test
