// SPDX-License-Identifier: Apache-2.0
#include "trace/tally.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "unit/trace/toy_kernels.h"

namespace tilestep::trace::tally_test {

Cut byEpochs(uint32_t phases) {
  Cut cut;
  cut.epochsPerPhase = 2;
  cut.phases = phases;
  return cut;
}

Cut byK(uint32_t size, uint64_t length) {
  Cut cut;
  cut.phaseLength = length;
  cut.operands = {{Cut::K::column, size, 4}, {Cut::K::row, size, 4}};
  return cut;
}

/// A recording with one request of one warp.
BlockTrace request(Operation operation, Space space, uint8_t width,
                   const std::vector<uint32_t>& offsets) {
  BlockTrace recording;
  recording.blockShape = {32, 1, 1};
  recording.sharedArrays = {{"s", 0, 1U << 16, 0}};
  TraceEvent event;
  event.operation = operation;
  event.space = space;
  event.width = width;
  event.buffer = 0;
  event.mask = offsets.size() == 32 ? 0xffffffff : (1U << offsets.size()) - 1;
  event.offsets = offsets;
  recording.append(event);
  recording.finish();
  return recording;
}

std::vector<uint32_t> strided(uint32_t count, uint32_t stride, uint32_t start = 0) {
  std::vector<uint32_t> offsets;
  for (uint32_t i = 0; i < count; ++i) offsets.push_back(start + i * stride);
  return offsets;
}

GlobalCounts globalOf(uint8_t width, const std::vector<uint32_t>& offsets) {
  return tallyOf(request(Operation::load, Space::global, width, offsets)).counters.globalLoad;
}
SharedCounts sharedOf(uint8_t width, const std::vector<uint32_t>& offsets) {
  return tallyOf(request(Operation::store, Space::shared, width, offsets)).counters.sharedStore;
}

TEST(Tally, SharedRequestsByHand) {
  EXPECT_EQ(sharedOf(4, strided(32, 4)), (SharedCounts{1, 1, 0}));
  EXPECT_EQ(sharedOf(4, strided(32, 0)), (SharedCounts{1, 1, 0}));
  EXPECT_EQ(sharedOf(4, strided(32, 8)), (SharedCounts{1, 2, 1}));
  EXPECT_EQ(sharedOf(4, strided(32, 128)), (SharedCounts{1, 32, 31}));
  EXPECT_EQ(sharedOf(4, strided(32, 132)), (SharedCounts{1, 1, 0}));
  EXPECT_EQ(sharedOf(8, strided(32, 8)), (SharedCounts{1, 2, 0})) << "64 words need two passes";
  EXPECT_EQ(sharedOf(1, strided(32, 1)), (SharedCounts{1, 1, 0}));
}

TEST(Tally, RandomRequestsAgreeWithCountingByteByByte) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 500; ++trial) {
    const auto width = static_cast<uint8_t>(1U << random() % 5);
    std::vector<uint32_t> offsets(1 + random() % 32);
    for (uint32_t& offset : offsets) offset = static_cast<uint32_t>(random() % 400) * width;
    std::set<uint32_t> bytes, sectors, words;
    for (const uint32_t offset : offsets) {
      for (uint32_t b = offset; b < offset + width; ++b) {
        bytes.insert(b);
        sectors.insert(b / 32);
        words.insert(b / 4);
      }
    }
    const GlobalCounts global = globalOf(width, offsets);
    EXPECT_EQ(global.distinctBytes, bytes.size());
    EXPECT_EQ(global.sectors, sectors.size());
    std::array<uint64_t, 32> banks{};
    for (const uint32_t word : words) ++banks[word % 32];
    const SharedCounts shared = sharedOf(width, offsets);
    EXPECT_EQ(shared.wavefronts, *std::max_element(banks.begin(), banks.end()));
    EXPECT_EQ(shared.bankConflicts, shared.wavefronts - (words.size() + 31) / 32);
  }
}

TEST(Tally, BanksDependOnTheOffsetInTheSharedWindow) {
  // Two words that share a bank only because the array starts in the middle of the banks.
  BlockTrace recording = request(Operation::load, Space::shared, 8, {0, 128});
  EXPECT_EQ(tallyOf(recording).counters.sharedLoad.wavefronts, 2U);
  recording.sharedArrays[0].offset = 4;
  EXPECT_EQ(tallyOf(recording).counters.sharedLoad.wavefronts, 2U);
}

TEST(Tally, TilingReducesLoadsByTheTileWidth) {
  // With 16 threads and k = 0 to 3, the naive product needs 128 loads, and the tiled one needs 32.
  const Replay tiled(toy::tiled(8, 4), byEpochs(2));
  const Replay naive(toy::naive(8, 4, 4), byK(8, 4));
  EXPECT_EQ(tallyOf(tiled, StepGranularity::phase, 0).counters.globalLoad.threads, 32U);
  EXPECT_EQ(tallyOf(naive, StepGranularity::phase, 0).counters.globalLoad.threads, 128U);
  EXPECT_EQ(tallyOf(tiled, StepGranularity::phase, 0).accumulates, 64U);
  EXPECT_EQ(tallyOf(naive, StepGranularity::phase, 0).accumulates, 64U);
}

TEST(Tally, PhasesAddUpToTheWhole) {
  for (const auto& replay :
       {Replay(toy::tiled(13, 4), byEpochs(4)), Replay(toy::naive(13, 8, 4), byK(13, 4))}) {
    const PhaseTallies byPhase = tallyByPhase(replay);
    ASSERT_EQ(byPhase.phases.size(), 4U);
    Tally sum = byPhase.outside;
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(byPhase.phases[i].phase, i);
      sum += byPhase.phases[i].tally;
    }
    EXPECT_EQ(sum, tallyOf(replay.recording()));
    EXPECT_EQ(byPhase.outside.counters.globalLoad.requests, 0U);
    EXPECT_GT(byPhase.outside.counters.globalStore.requests, 0U);
  }
}

}  // namespace tilestep::trace::tally_test
