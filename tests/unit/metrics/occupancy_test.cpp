// SPDX-License-Identifier: Apache-2.0
#include "metrics/occupancy.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tilestep::metrics {
namespace {

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

TEST(Occupancy, TenRegistersFillThe8800AndElevenDropABlock) {
  EXPECT_EQ(residentThreads(occupancy(geforce8800(), {256, 10, 0})), 768U);
  const Occupancy eleven = occupancy(geforce8800(), {256, 11, 0});
  EXPECT_EQ(residentThreads(eleven), 512U);
  EXPECT_EQ(eleven.limiters, std::vector<std::string>{"registers"});
}

TEST(Occupancy, FiveKilobytesABlockAllowThreeOnThe8800) {
  EXPECT_EQ(blocksBy(occupancy(geforce8800(), {64, 8, 5 * kKilo}), "shared memory"), 3U);
}

TEST(Occupancy, The8800StopsSixteenWideTilesByThreadsNotBySharedMemory) {
  const Occupancy tile = occupancy(geforce8800(), {256, 10, 2 * kKilo});
  EXPECT_EQ(blocksBy(tile, "shared memory"), 8U);
  EXPECT_EQ(tile.blocks, 3U);
  EXPECT_NE(std::find(tile.limiters.begin(), tile.limiters.end(), "threads"), tile.limiters.end());
}

TEST(Occupancy, The8800CannotRunTilesThirtyTwoWide) {
  const Occupancy tile = occupancy(geforce8800(), {1024, 10, 8 * kKilo});
  EXPECT_EQ(blocksBy(tile, "shared memory"), 2U);
  EXPECT_EQ(tile.blocks, 0U);
  EXPECT_EQ(tile.refusal, "a block has 1024 threads; this device takes at most 512");
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

TEST(Occupancy, TheH200LimitsOfSquareTiles) {
  const uint32_t widths[] = {4, 8, 16, 32};
  const uint32_t byShared[] = {202, 152, 76, 25};
  const uint32_t byRegisters[] = {64, 32, 8, 2};
  for (int i = 0; i < 4; ++i) {
    const Occupancy tile = squareTile(h200(), widths[i]);
    EXPECT_EQ(blocksBy(tile, "shared memory"), byShared[i]) << widths[i];
    EXPECT_EQ(blocksBy(tile, "registers"), byRegisters[i]) << widths[i];
    EXPECT_EQ(blocksBy(tile, "threads"), byRegisters[i]) << widths[i];
    EXPECT_EQ(blocksBy(tile, "blocks"), 32U);
  }
}

TEST(Occupancy, FourWideTilesAreHalfFullByTheNumberOfBlocks) {
  const Occupancy tile = squareTile(h200(), 4);
  EXPECT_DOUBLE_EQ(tile.ratio(), 0.5);
  EXPECT_EQ(tile.limiters, std::vector<std::string>{"blocks"});
}

TEST(Occupancy, RegistersAreGivenInUnitsOf256AWarp) {
  EXPECT_EQ(allocatedRegisters(h200(), {32, 33, 0}), 1280U);
  EXPECT_EQ(allocatedRegisters(h200(), {32, 40, 0}), 1280U);
  // 65536 / 4 / 1280 = 12 warps in each partition.
  EXPECT_EQ(occupancy(h200(), {32, 33, 0}).limits[1].blocks, 48U);
}

TEST(Occupancy, SharedMemoryIsGivenInUnits) {
  EXPECT_EQ(allocatedSharedBytes(h200(), {32, 0, 1}), 1152U);
  EXPECT_EQ(allocatedSharedBytes(geforce8800(), {32, 0, 513}), 1024U);
}

TEST(Occupancy, UnknownResourcesLimitNothing) {
  const Occupancy known = occupancy({.major = 9, .threads = 2048}, {1024, 255, 65536});
  EXPECT_EQ(known.limits.size(), 1U);
  EXPECT_EQ(known.blocks, 2U);
}

TEST(Occupancy, ComputeCapabilityIsMajorDotMinor) {
  EXPECT_EQ(parseComputeCapability("12.1")->major, 12);
  EXPECT_EQ(parseComputeCapability("12.1")->minor, 1);
  for (const char* bad : {"", "9", "9.", ".0", "9.0a", "x"}) {
    EXPECT_FALSE(parseComputeCapability(bad)) << bad;
  }
}

}  // namespace
}  // namespace tilestep::metrics
