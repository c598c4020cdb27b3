// SPDX-License-Identifier: Apache-2.0
// Decoding of handmade clock records of a GPU's warps. Needs no GPU.
#include <gtest/gtest.h>

#include <functional>

#include "device/cuda/trace/clocks.h"
#include "support/results.h"

namespace tilestep::cuda::clock_decoding_test {

using Record = ptx::ClockTable::Record;

constexpr uint64_t cell(uint64_t busy, uint64_t wait) {
  return wait << 32 | busy;
}

/// Two blocks of two warps with one barrier, on SMs 0 and 1; the clock ticks in 32 ns.
struct Launched {
  std::vector<Record> records{{3200, 1000, 6400, 4000, 400, 1, 1},
                              {3232, 1010, 6368, 3960, 500, 1, 1},
                              {3264, 7000, 9600, 9000, 100, 2, 1},
                              {3264, 7004, 9600, 9004, 300, 2, 1}};
  std::vector<uint64_t> cells{cell(2000, 900), cell(1500, 400)};
  ClockShape shape{2, 2, 1, 0};
  uint32_t multiprocessors = 4;

  [[nodiscard]] Result<trace::Timeline> decoded(uint64_t tick = 64) const {
    return decodeClocks(records, cells, shape, multiprocessors, tick);
  }
};

TEST(ClockDecoding, SumsWarpsIntoBlocks) {
  const auto t = valueOrThrow(Launched().decoded());
  EXPECT_EQ(t.sm, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(t.startNs, (std::vector<uint64_t>{0, 64}));
  EXPECT_EQ(t.endNs, (std::vector<uint64_t>{3200, 6400}));
  EXPECT_EQ(t.waitWarpCycles, (std::vector<uint64_t>{900, 400}));
  EXPECT_EQ(t.busyWarpCycles, (std::vector<uint64_t>{3000 + 2950 - 900, 4000 - 400}));
  EXPECT_EQ(t.activeCycles, (std::vector<uint64_t>{3000, 2004, 0, 0}));
  // The longest warps' cycles divided by the blocks' times.
  EXPECT_DOUBLE_EQ(t.clockMhz, (3000 + 2004) / (3200.0 + 6336) * 1000);
}

TEST(ClockDecoding, TheLastEpochIsTheRemainingTime) {
  const auto t = valueOrThrow(Launched().decoded());
  EXPECT_EQ(t.epochs, 2U);
  EXPECT_EQ(t.epochStep, 1U);
  EXPECT_EQ(t.epochBusy, (std::vector<uint32_t>{2000, 3050, 1500, 2100}));
  EXPECT_EQ(t.epochWait, (std::vector<uint32_t>{900, 0, 400, 0}));
}

TEST(ClockDecoding, TheRecordsMayShowAFinerTick) {
  EXPECT_EQ(Launched().decoded(64)->tickNs, 64U);
  EXPECT_EQ(Launched().decoded(96)->tickNs, 32U);
  EXPECT_EQ(commonStep({1000, 1064, 1160}), 32U);
  EXPECT_EQ(commonStep({1160, 1064, 1000}), 32U);
  EXPECT_EQ(commonStep({5}), 0U);
}

TEST(ClockDecoding, GapsInTheNumbersOfMultiprocessorsAreClosed) {
  Launched launched;
  launched.records[2].smPlusOne = launched.records[3].smPlusOne = 9;
  const auto t = valueOrThrow(launched.decoded());
  EXPECT_EQ(t.sm, (std::vector<uint32_t>{0, 1}));
}

TEST(ClockDecoding, EpochsThatOverflowTheirCellsAreNotKept) {
  Launched launched;
  launched.records[0].endCycle += ptx::ClockTable::kMostCellCycles;
  const auto t = valueOrThrow(launched.decoded());
  EXPECT_EQ(t.epochStep, 0U);
  EXPECT_TRUE(t.epochBusy.empty());
}

struct Broken {
  const char* name;
  const char* says;
  std::function<void(Launched&)> change;
};

class BrokenClocks : public testing::TestWithParam<Broken> {};

TEST_P(BrokenClocks, AreRefused) {
  Launched launched;
  GetParam().change(launched);
  const auto t = launched.decoded();
  ASSERT_FALSE(t.ok());
  EXPECT_TRUE(has(t.error().message, GetParam().says));
}

const Broken kBroken[] = {
    Broken{"NeverBegan", "never began", [](Launched& l) { l.records[1] = {}; }},
    Broken{"NeverEnded", "never ended", [](Launched& l) { l.records[3].endNs = 0; }},
    Broken{"Backward", "ran backward", [](Launched& l) { l.records[3].endCycle = 6000; }},
    Broken{"TooLong", "2^32", [](Launched& l) { l.records[0].endCycle = 1ULL << 40; }},
    Broken{"WaitsTooLong", "longer than it ran",
           [](Launched& l) { l.records[0].waitCycles = 3001; }},
    Broken{"MoreBarriers", "more barriers", [](Launched& l) { l.records[2].barriers = 2; }},
    Broken{"TwoMultiprocessors", "two multiprocessors",
           [](Launched& l) { l.records[1].smPlusOne = 4; }},
    Broken{"TooManyMultiprocessors", "2 of 1", [](Launched& l) { l.multiprocessors = 1; }},
    Broken{"RecordMissing", "does not match the launch", [](Launched& l) { l.records.pop_back(); }},
    Broken{"CellMissing", "does not match the launch", [](Launched& l) { l.cells.pop_back(); }}};

std::string nameOf(const testing::TestParamInfo<Broken>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Content, BrokenClocks, testing::ValuesIn(kBroken), nameOf);

TEST(ClockShape, RowsFitTheCap) {
  EXPECT_EQ(ClockShape::of(4096, 8, 128).rowShift, 0U);
  const ClockShape narrow = ClockShape::of(65536, 1, 512);
  EXPECT_EQ(narrow.rowShift, 4U);
  EXPECT_EQ(narrow.rows(), 4096U);
  // One row remains, even if it is too long.
  EXPECT_EQ(ClockShape::of(2, 1, 100'000'000).rows(), 1U);
}

TEST(TimelineAllowed, RefusesLaunchesThatATimelineCannotHold) {
  device::Job job;
  EXPECT_FALSE(timelineAllowed(job).ok());
  Launch launch;
  launch.entry = "k";
  launch.grid = {1024, 1024, 1};
  launch.block = {32, 1, 1};
  job.launches = {launch};
  EXPECT_TRUE(timelineAllowed(job).ok());
  job.launches[0].grid.z = 2;
  EXPECT_TRUE(has(timelineAllowed(job).error().message, "2097152 blocks"));
  job.launches = {launch, launch};
  EXPECT_TRUE(has(timelineAllowed(job).error().message, "launched 2 times"));
}

}  // namespace tilestep::cuda::clock_decoding_test
