// SPDX-License-Identifier: Apache-2.0
#include "trace/block_trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

#include "base/bytes.h"
#include "support/results.h"
#include "trace/counters.h"
#include "unit/trace/toy_kernels.h"

namespace tilestep::trace::recording_test {

using Columns = std::vector<BlockTrace::Column>;

TraceEvent plainEvent(uint32_t epoch, uint32_t warp, uint32_t sequence) {
  TraceEvent event;
  event.epoch = epoch;
  event.warp = warp;
  event.sequence = sequence;
  event.operation = Operation::barrier;
  return event;
}

TEST(BlockTrace, ReturnsAppendedEvents) {
  const std::array<uint32_t, 2> offsets{8, 12};
  const std::array<float, 2> values{1.5F, -2.0F};
  TraceEvent event;
  event.epoch = 3;
  event.warp = 1;
  event.sequence = 7;
  event.instruction = 42;
  event.line = 17;
  event.operation = Operation::store;
  event.space = Space::shared;
  event.width = 4;
  event.buffer = 1;
  event.mask = 0b1010;
  event.clock = 99;
  event.offsets = offsets;
  event.values = std::as_bytes(std::span(values));
  BlockTrace recording;
  ASSERT_TRUE(recording.append(event));
  recording.finish();
  ASSERT_EQ(recording.size(), 1U);
  const TraceEvent read = recording.event(0);
  EXPECT_EQ(read.epoch, 3U);
  EXPECT_EQ(read.warp, 1U);
  EXPECT_EQ(read.sequence, 7U);
  EXPECT_EQ(read.instruction, 42U);
  EXPECT_EQ(read.line, 17U);
  EXPECT_EQ(read.operation, Operation::store);
  EXPECT_EQ(read.space, Space::shared);
  EXPECT_EQ(read.buffer, 1);
  EXPECT_EQ(read.mask, 0b1010U);
  EXPECT_EQ(read.clock, 99U);
  EXPECT_TRUE(std::ranges::equal(read.offsets, offsets));
  EXPECT_TRUE(std::ranges::equal(read.values, event.values));
}

TEST(BlockTrace, SortsByEpochWarpAndSequenceAndKeepsLanes) {
  BlockTrace recording;
  const std::array<uint32_t, 1> a{100}, b{200};
  TraceEvent late = plainEvent(1, 0, 5), early = plainEvent(0, 3, 2);
  late.mask = early.mask = 1;
  late.operation = early.operation = Operation::load;
  late.offsets = a;
  early.offsets = b;
  recording.append(late);
  recording.append(early);
  recording.append(plainEvent(0, 1, 9));
  recording.finish();
  EXPECT_EQ(recording.event(0).warp, 1U);
  EXPECT_TRUE(recording.event(0).offsets.empty());
  EXPECT_EQ(recording.event(1).warp, 3U);
  EXPECT_EQ(recording.event(1).offsets[0], 200U);
  EXPECT_EQ(recording.event(2).epoch, 1U);
  EXPECT_EQ(recording.event(2).offsets[0], 100U);
  const auto before = recording.columns();
  recording.finish();
  for (size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(recording.columns()[i].bytes, before[i].bytes);
}

TEST(BlockTrace, IsTruncatedAtItsCap) {
  BlockTrace recording(200);
  EXPECT_FALSE(recording.truncated());
  size_t taken = 0;
  while (recording.append(plainEvent(0, 0, static_cast<uint32_t>(taken)))) ++taken;
  EXPECT_EQ(recording.size(), taken);
  EXPECT_GT(taken, 0U);
  EXPECT_LE(recording.bytes(), 200U);
  EXPECT_TRUE(recording.truncated());
  EXPECT_FALSE(recording.append(plainEvent(0, 0, 0))) << "no gaps after the first rejected event";
  EXPECT_EQ(recording.size(), taken);
}

TEST(BlockTrace, ColumnsRoundTrip) {
  EXPECT_EQ(BlockTrace::fromColumns(BlockTrace().columns()).value().size(), 0U);
  const auto original = toy::tiled(7, 4);
  original->uneven = true;
  original->block = {1, 2, 3};
  const auto read = valueOrThrow(BlockTrace::fromColumns(original->columns()));
  EXPECT_EQ(read.block, original->block);
  EXPECT_EQ(read.blockShape, original->blockShape);
  EXPECT_TRUE(read.uneven);
  EXPECT_FALSE(read.truncated());
  EXPECT_EQ(read.device, "simt");
  EXPECT_EQ(read.accumulators, 1U);
  EXPECT_EQ(read.feeds, original->feeds);
  EXPECT_FALSE(original->sumStores.empty());
  EXPECT_EQ(read.sumStores, original->sumStores);
  ASSERT_EQ(read.sharedArrays.size(), 2U);
  EXPECT_EQ(read.sharedArrays[1].name, "Nds");
  EXPECT_EQ(read.sharedArrays[1].offset, 64U);
  EXPECT_EQ(read.sharedArrays[1].columns, 4U);
  ASSERT_EQ(read.size(), original->size());
  const Columns a = original->columns(), b = read.columns();
  for (size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].bytes, b[i].bytes) << a[i].name;
}

BlockTrace::Column& columnOf(Columns& columns, const std::string& name) {
  return *std::find_if(columns.begin(), columns.end(),
                       [&](const auto& column) { return column.name == name; });
}

/// Sets element `index` of a column.
template <class T>
void set(Columns& columns, const std::string& name, size_t index, T value) {
  auto& bytes = columnOf(columns, name).bytes;
  ASSERT_LE((index + 1) * sizeof(T), bytes.size());
  value = littleEndian(value);
  std::memcpy(bytes.data() + index * sizeof(T), &value, sizeof(T));
}

struct Damage {
  const char* says;
  std::function<void(Columns&)> make;
};

class DamagedColumns : public testing::TestWithParam<Damage> {};

TEST_P(DamagedColumns, AreRefusedByName) {
  Columns columns = toy::tiled(8, 4)->columns();
  ASSERT_TRUE(BlockTrace::fromColumns(columns));
  GetParam().make(columns);
  EXPECT_TRUE(fails(BlockTrace::fromColumns(columns), GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    BlockTrace, DamagedColumns,
    testing::Values(
        Damage{"column mask is missing",
               [](Columns& c) {
                 std::erase_if(c, [](const auto& column) { return column.name == "mask"; });
               }},
        Damage{"column warp has a broken length",
               [](Columns& c) { columnOf(c, "warp").bytes.pop_back(); }},
        Damage{"column width has", [](Columns& c) { columnOf(c, "width").bytes.pop_back(); }},
        Damage{"an unknown operation", [](Columns& c) { set<uint8_t>(c, "operation", 0, 7); }},
        Damage{"a width beyond 32", [](Columns& c) { set<uint8_t>(c, "width", 4, 33); }},
        Damage{"an unknown space", [](Columns& c) { set<uint8_t>(c, "space", 0, 5); }},
        Damage{"lanes outside the block", [](Columns& c) { set<uint32_t>(c, "warp", 0, 1); }},
        Damage{"lanes outside the block",
               [](Columns& c) { set<uint32_t>(c, "warp", 0, 0xffffffff); }},
        Damage{"offsets outside", [](Columns& c) { set<uint32_t>(c, "laneStart", 0, 0xfffffffe); }},
        Damage{"values outside", [](Columns& c) { set<uint32_t>(c, "valueStart", 0, 0xfffffffe); }},
        Damage{"values outside", [](Columns& c) { columnOf(c, "values").bytes.resize(8); }},
        Damage{"a buffer below -1", [](Columns& c) { set<int16_t>(c, "buffer", 0, -2); }},
        Damage{"an unknown shared array", [](Columns& c) { set<int16_t>(c, "buffer", 1, 2); }},
        Damage{"half a pair", [](Columns& c) { columnOf(c, "feeds").bytes.resize(4); }},
        Damage{"half a pair", [](Columns& c) { columnOf(c, "sumStores").bytes.resize(4); }},
        Damage{"sumStores has an unknown accumulator",
               [](Columns& c) { set<uint32_t>(c, "sumStores", 0, 1); }},
        Damage{"head does not parse", [](Columns& c) { columnOf(c, "head").bytes.pop_back(); }},
        Damage{"head does not parse", [](Columns& c) { columnOf(c, "head").bytes.push_back({}); }},
        Damage{"no threads", [](Columns& c) { set<uint32_t>(c, "head", 3, 0); }},
        Damage{"more than 1024", [](Columns& c) { set<uint32_t>(c, "head", 4, 0xffffffff); }},
        Damage{"an unknown accumulator", [](Columns& c) { set<uint32_t>(c, "head", 6, 0); }},
        Damage{"shared arrays does not parse",
               [](Columns& c) { columnOf(c, "shared").bytes.pop_back(); }}));

TEST(Counters, SumsKeepAbsentCountsAbsent) {
  Counters sum, plain;
  plain.globalLoad.sectors = 4;
  plain.sharedStore.bankConflicts = 2;
  plain.barriers = 1;
  sum += plain;
  sum += plain;
  EXPECT_EQ(sum.globalLoad.sectors, 8U);
  EXPECT_EQ(sum.sharedStore.bankConflicts, 4U);
  EXPECT_EQ(sum.barriers, 2U);
  EXPECT_FALSE(sum.warpInstructions) << "absent is not zero";
  plain.warpInstructions = 5;
  sum += plain;
  EXPECT_EQ(sum.warpInstructions, 5U);
  EXPECT_FALSE(sum.divergentBranches);
}

}  // namespace tilestep::trace::recording_test
