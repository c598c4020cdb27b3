// SPDX-License-Identifier: Apache-2.0
#include "trace/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>

#include "unit/trace/toy_kernels.h"

namespace tilestep::trace::replay_test {

constexpr std::array<StepGranularity, 3> kGrains{StepGranularity::phase, StepGranularity::epoch,
                                                 StepGranularity::event};

Cut tiledCut(uint32_t size, uint32_t tile) {
  Cut cut;
  cut.epochsPerPhase = 2;
  cut.phases = (size + tile - 1) / tile;
  return cut;
}

Cut naiveCut(uint32_t size, uint64_t phaseLength) {
  Cut cut;
  cut.phaseLength = phaseLength;
  cut.operands = {{Cut::K::column, size, 4}, {Cut::K::row, size, 4}, {Cut::K::none, size, 4}};
  return cut;
}

/// A state computed event by event with maps, as an independent reference. All values have 4 bytes.
struct Plain {
  std::map<std::pair<int, uint32_t>, std::pair<uint64_t, uint32_t>> shared;  // bits, writer
  std::map<uint32_t, std::pair<uint64_t, uint32_t>> sums;                    // bits, updates
  std::map<std::pair<int, uint32_t>, std::pair<uint64_t, uint32_t>> outputs;

  void apply(const TraceEvent& event, uint32_t mask) {
    size_t position = 0;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if ((event.mask >> lane & 1) == 0) continue;
      const size_t at = position++;
      if ((mask >> lane & 1) == 0) continue;
      const uint32_t thread = event.warp * 32 + lane;
      uint32_t bits = 0;
      if (event.width == 4) std::memcpy(&bits, event.values.data() + at * 4, 4);
      if (event.operation == Operation::accumulate) {
        sums[thread] = {bits, sums[thread].second + 1};
      } else if (event.operation == Operation::store) {
        auto& into = event.space == Space::shared ? shared : outputs;
        into[{event.buffer, event.offsets[at]}] = {bits, thread};
      }
    }
  }
};

void expectEqual(const BlockState& state, const Plain& plain, const std::string& where) {
  size_t written = 0;
  for (const SharedSlot& slot : state.shared) {
    const auto at = plain.shared.find({slot.place.buffer, slot.place.offset});
    ASSERT_EQ(slot.written, at != plain.shared.end()) << where;
    if (!slot.written) continue;
    ++written;
    ASSERT_EQ(slot.bits, at->second.first) << where;
    ASSERT_EQ(slot.writer, at->second.second) << where;
  }
  ASSERT_EQ(written, plain.shared.size()) << where;
  size_t touched = 0;
  for (const Accumulator& sum : state.accumulators) {
    const auto at = plain.sums.find(sum.thread);
    ASSERT_EQ(sum.updates, at == plain.sums.end() ? 0 : at->second.second) << where;
    if (sum.updates == 0) continue;
    ++touched;
    ASSERT_EQ(sum.bits, at->second.first) << where;
  }
  ASSERT_EQ(touched, plain.sums.size()) << where;
  size_t stored = 0;
  for (const OutputElement& element : state.outputs) {
    const auto at = plain.outputs.find({element.place.buffer, element.place.offset});
    ASSERT_EQ(element.written, at != plain.outputs.end()) << where;
    if (!element.written) continue;
    ++stored;
    ASSERT_EQ(element.bits, at->second.first) << where;
  }
  ASSERT_EQ(stored, plain.outputs.size()) << where;
}

/// Compares the state after every step, forward and then backward, with a replay from the start.
void compareEveryStep(const Replay& replay) {
  for (const StepGranularity grain : kGrains) {
    std::vector<BlockState> forward;
    Plain plain;
    for (size_t i = 0; i < replay.size(grain); ++i) {
      for (const auto& piece : replay.piecesOf(grain, i)) {
        plain.apply(replay.recording().event(piece.event), piece.mask);
      }
      forward.push_back(replay.stateAfter(grain, i));
      expectEqual(forward.back(), plain, "step " + std::to_string(i));
      if (testing::Test::HasFatalFailure()) return;
    }
    for (size_t i = replay.size(grain); i-- > 0;) {
      ASSERT_EQ(replay.stateAfter(grain, i), forward[i]) << i;
    }
  }
}

/// All steps together must contain every lane of every event exactly once.
void coversEverythingOnce(const Replay& replay, StepGranularity grain) {
  std::vector<uint32_t> seen(replay.recording().size(), 0);
  std::vector<bool> touched(replay.recording().size(), false);
  for (size_t i = 0; i < replay.size(grain); ++i) {
    for (const auto& piece : replay.piecesOf(grain, i)) {
      EXPECT_EQ(seen[piece.event] & piece.mask, 0U);
      seen[piece.event] |= piece.mask;
      touched[piece.event] = true;
    }
  }
  for (size_t i = 0; i < seen.size(); ++i) {
    EXPECT_EQ(seen[i], replay.recording().event(i).mask);
    EXPECT_TRUE(touched[i]);
  }
}

TEST(Replay, EveryStateEqualsAReplayFromTheStart) {
  compareEveryStep(Replay(toy::tiled(8, 4), tiledCut(8, 4)));
  compareEveryStep(Replay(toy::tiled(7, 4), tiledCut(7, 4)));
  compareEveryStep(Replay(toy::tiled(19, 8), tiledCut(19, 8)));
  compareEveryStep(Replay(toy::naive(9, 8, 8), naiveCut(9, 4)));
  compareEveryStep(Replay(toy::naive(5, 16, 4), naiveCut(5, 1)));
  // Long enough for several checkpoints.
  compareEveryStep(Replay(toy::naive(33, 32, 8), naiveCut(33, 8)));
  compareEveryStep(Replay(toy::tiled(40, 16), tiledCut(40, 16)));
}

TEST(Replay, SlotsHaveTheOriginsOfTheirValues) {
  const uint32_t size = 7, tile = 4;
  const Replay replay(toy::tiled(size, tile), tiledCut(size, tile));
  const BlockState state = replay.stateAfter(StepGranularity::epoch, 2);  // Phase 1 is loaded.
  ASSERT_EQ(state.shared.size(), 2U * tile * tile);
  for (uint32_t row = 0; row < tile; ++row) {
    for (uint32_t col = 0; col < tile; ++col) {
      const uint32_t slot = (row * tile + col) * 4;
      const SharedSlot* m = state.findShared({toy::kMds, slot});
      ASSERT_NE(m, nullptr);
      EXPECT_EQ(m->writer, row * tile + col);
      EXPECT_EQ(m->epoch, 2U);
      if (tile + col < size) {
        EXPECT_EQ(m->origin, (Place{toy::kM, (row * size + tile + col) * 4}));
        EXPECT_EQ(m->bits, toy::bitsOf(toy::elementM(size, row, tile + col)));
      } else {
        EXPECT_EQ(m->origin, std::nullopt) << "a zero past the edge has no origin";
        EXPECT_EQ(m->bits, 0U);
      }
      const SharedSlot* n = state.findShared({toy::kNds, slot});
      ASSERT_NE(n, nullptr);
      if (tile + row < size) {
        EXPECT_EQ(n->origin, (Place{toy::kN, ((tile + row) * size + col) * 4}));
      }
    }
  }
}

TEST(Replay, ActivityOfALoadEpochNamesSourceAndSlot) {
  const Replay replay(toy::tiled(8, 4), tiledCut(8, 4));
  const Activity activity = replay.activityOf(StepGranularity::epoch, 2);
  ASSERT_EQ(activity.globalLoads.size(), 32U);
  EXPECT_EQ(activity.sharedWrites.size(), 32U);
  EXPECT_TRUE(activity.sharedReads.empty());
  EXPECT_TRUE(activity.accumulates.empty());
  EXPECT_TRUE(activity.outputStores.empty());
  for (const GlobalLoad& load : activity.globalLoads) {
    const uint32_t x = load.from.thread % 4, y = load.from.thread / 4;
    EXPECT_EQ(load.from.lane, load.from.thread);
    ASSERT_TRUE(load.to);
    EXPECT_EQ(load.to->offset, (y * 4 + x) * 4);
    EXPECT_EQ(load.to->buffer, load.from.buffer == toy::kM ? toy::kMds : toy::kNds);
    const uint32_t expected = load.from.buffer == toy::kM ? y * 8 + 4 + x : (4 + y) * 8 + x;
    EXPECT_EQ(load.from.offset, expected * 4);
  }
}

TEST(Replay, ActivityOfAComputeEpoch) {
  const Replay replay(toy::tiled(8, 4), tiledCut(8, 4));
  const Activity activity = replay.activityOf(StepGranularity::epoch, 1);
  EXPECT_TRUE(activity.globalLoads.empty());
  EXPECT_EQ(activity.sharedReads.size(), 2U * 16 * 4);
  EXPECT_EQ(activity.accumulates.size(), 16U * 4);
  // Thread (tx 2, ty 1) reads row 1 of Mds and column 2 of Nds.
  std::set<uint32_t> rows, columns;
  for (const Access& read : activity.sharedReads) {
    if (read.thread != 6) continue;
    if (read.buffer == toy::kMds) rows.insert(read.offset / 16);
    if (read.buffer == toy::kNds) columns.insert(read.offset / 4 % 4);
  }
  EXPECT_EQ(rows, std::set<uint32_t>{1});
  EXPECT_EQ(columns, std::set<uint32_t>{2});
  EXPECT_EQ(replay.activityOf(StepGranularity::epoch, 4).outputStores.size(), 16U);
}

TEST(Replay, TheStepOfALoadNamesTheSlotOfItsStore) {
  const Replay replay(toy::tiled(8, 4), tiledCut(8, 4));
  const Activity whole = replay.activityOf(StepGranularity::epoch, 0);
  const Activity one = replay.activityOf(StepGranularity::event, 0);
  ASSERT_EQ(one.globalLoads.size(), 16U);
  EXPECT_TRUE(one.sharedWrites.empty()) << "the store is another step";
  for (size_t i = 0; i < one.globalLoads.size(); ++i) {
    ASSERT_TRUE(one.globalLoads[i].to) << i;
    EXPECT_EQ(one.globalLoads[i].to, whole.globalLoads[i].to) << i;
  }
  EXPECT_EQ(one.globalLoads[1].to, (Place{toy::kMds, 4}));
}

TEST(Replay, TheNaiveProductIsDividedByK) {
  const uint32_t size = 8;
  const Replay replay(toy::naive(size, 8, 8), naiveCut(size, 4));  // Two warps.
  ASSERT_EQ(replay.size(StepGranularity::phase), 3U);
  EXPECT_EQ(replay.size(StepGranularity::epoch), 1U);
  for (uint32_t ph = 0; ph < 2; ++ph) {
    const Step step = replay.step(StepGranularity::phase, ph);
    EXPECT_EQ(step.phase, ph);
    EXPECT_EQ(step.kind, StepKind::whole);
    const Activity activity = replay.activityOf(StepGranularity::phase, ph);
    EXPECT_EQ(activity.globalLoads.size(), 2U * 64 * 4);
    EXPECT_EQ(activity.accumulates.size(), 64U * 4);
    for (const GlobalLoad& load : activity.globalLoads) {
      const uint32_t element = load.from.offset / 4;
      EXPECT_EQ((load.from.buffer == toy::kM ? element % size : element / size) / 4, ph);
      EXPECT_FALSE(load.to);
    }
    for (const Accumulator& sum : replay.stateAfter(StepGranularity::phase, ph).accumulators) {
      EXPECT_EQ(sum.updates, (ph + 1) * 4);
    }
  }
  const Step last = replay.step(StepGranularity::phase, 2);
  EXPECT_EQ(last.phase, std::nullopt);
  EXPECT_EQ(last.kind, StepKind::writeBack);
  EXPECT_EQ(replay.step(StepGranularity::epoch, 0).phase, std::nullopt);
  for (const StepGranularity grain : kGrains) coversEverythingOnce(replay, grain);
}

TEST(Replay, FeedsDecideAnAccumulatesPhaseIfLoadsRunAhead) {
  // The loads of k = 1 precede the sum of k = 0, so the latest load would give the wrong phase.
  toy::Author author(1, 1);
  const auto load = [&](uint32_t instruction, uint32_t k) {
    author.event(0, instruction, 1, Operation::load, Space::global, toy::kM,
                 toy::everyThread(k * 4, 1));
  };
  const auto sum = [&](uint32_t instruction, float result) {
    author.event(0, instruction, 2, Operation::accumulate, Space::none, 0,
                 toy::everyThread(0, result));
  };
  load(0, 0);
  load(1, 1);
  sum(2, 1);
  sum(3, 2);
  author.recording->accumulators = 1;
  author.recording->feeds = {{2, 0}, {3, 1}};
  author.recording->finish();
  const Replay fed(author.recording, naiveCut(2, 1));
  ASSERT_EQ(fed.size(StepGranularity::phase), 2U);
  EXPECT_EQ(fed.activityOf(StepGranularity::phase, 0).accumulates.size(), 1U);
  EXPECT_EQ(fed.stateAfter(StepGranularity::phase, 0).accumulators[0].bits, toy::bitsOf(1));
  author.recording->feeds.clear();
  const Replay unfed(author.recording, naiveCut(2, 1));
  EXPECT_EQ(unfed.activityOf(StepGranularity::phase, 0).accumulates.size(), 0U);
}

TEST(Replay, LanesOfAnEventMayBeInDifferentPhases) {
  toy::Author author(4, 1);
  author.event(0, 0, 1, Operation::load, Space::global, toy::kM,
               [](uint32_t x, uint32_t, uint32_t& at, float& value) {
                 at = x * 4;
                 value = static_cast<float>(x);
                 return true;
               });
  author.recording->finish();
  const Replay replay(author.recording, naiveCut(8, 2));
  ASSERT_EQ(replay.size(StepGranularity::phase), 2U);
  EXPECT_EQ(replay.piecesOf(StepGranularity::phase, 0)[0].mask, 0b0011U);
  EXPECT_EQ(replay.piecesOf(StepGranularity::phase, 1)[0].mask, 0b1100U);
  ASSERT_EQ(replay.activityOf(StepGranularity::phase, 1).globalLoads.size(), 2U);
  EXPECT_EQ(replay.activityOf(StepGranularity::phase, 1).globalLoads[0].from.bits, toy::bitsOf(2));
  coversEverythingOnce(replay, StepGranularity::phase);
}

TEST(Replay, SameMomentConvertsBetweenGranularities) {
  const Replay replay(toy::tiled(8, 4), tiledCut(8, 4));
  EXPECT_EQ(replay.sameMoment(StepGranularity::phase, 0, StepGranularity::epoch), 1U);
  EXPECT_EQ(replay.sameMoment(StepGranularity::epoch, 2, StepGranularity::phase), 1U);
  EXPECT_EQ(replay.sameMoment(StepGranularity::phase, 2, StepGranularity::epoch), 4U);
  const size_t event = replay.sameMoment(StepGranularity::epoch, 1, StepGranularity::event);
  EXPECT_EQ(replay.stateAfter(StepGranularity::event, event),
            replay.stateAfter(StepGranularity::epoch, 1));
  EXPECT_EQ(replay.sameMoment(StepGranularity::event, event, StepGranularity::epoch), 1U);
  EXPECT_EQ(replay.firstOfPhase(StepGranularity::phase, 1), 1U);
  EXPECT_EQ(replay.firstOfPhase(StepGranularity::epoch, 1), 2U);
  EXPECT_EQ(replay.firstOfPhase(StepGranularity::epoch, 2), std::nullopt);
  const auto first = replay.firstOfPhase(StepGranularity::event, 1);
  ASSERT_TRUE(first);
  EXPECT_EQ(replay.step(StepGranularity::event, *first).epoch, 2U);
  const Replay naive(toy::naive(8, 4, 4), naiveCut(8, 4));
  EXPECT_EQ(naive.sameMoment(StepGranularity::event, 0, StepGranularity::phase), 0U);
  EXPECT_EQ(naive.sameMoment(StepGranularity::event, naive.size(StepGranularity::event) - 1,
                             StepGranularity::phase),
            2U);
  EXPECT_EQ(naive.sameMoment(StepGranularity::phase, 0, StepGranularity::epoch), 0U);
}

TEST(Replay, EmptyRecordingHasNoSteps) {
  const auto empty = std::make_shared<BlockTrace>();
  for (const Cut& cut : {Cut{}, tiledCut(8, 4), naiveCut(8, 4)}) {
    const Replay replay(empty, cut);
    for (const StepGranularity grain : kGrains) EXPECT_EQ(replay.size(grain), 0U);
    EXPECT_TRUE(replay.start().shared.empty());
  }
}

TEST(Replay, VectorAndScalarAccessesNameTheSameSlots) {
  // One lane loads and stores 16 bytes, and another lane reads one float of these.
  const auto recording = std::make_shared<BlockTrace>();
  recording->sharedArrays = {{"tile", 0, 64, 4}};
  recording->blockShape = {2, 1, 1};
  recording->feeds = {{1, 0}};
  const std::array<float, 4> values{1, 2, 3, 4};
  const std::array<uint32_t, 1> global{64}, shared{16}, one{24};
  TraceEvent event;
  event.mask = 1;
  event.width = 16;
  event.values = std::as_bytes(std::span(values));
  event.space = Space::global;
  event.buffer = 0;
  event.offsets = global;
  recording->append(event);
  event.sequence = 1;
  event.instruction = 1;
  event.operation = Operation::store;
  event.space = Space::shared;
  event.offsets = shared;
  recording->append(event);
  event.sequence = 2;
  event.instruction = 2;
  event.mask = 2;
  event.operation = Operation::load;
  event.width = 4;
  event.offsets = one;
  event.values = event.values.subspan(8, 4);
  recording->append(event);
  recording->finish();
  const Replay replay(recording, Cut{});
  const BlockState state = replay.stateAfter(StepGranularity::epoch, 0);
  ASSERT_EQ(state.shared.size(), 4U);
  for (uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(state.shared[i].place.offset, 16 + 4 * i);
    EXPECT_EQ(state.shared[i].bits, toy::bitsOf(values[i]));
    EXPECT_EQ(state.shared[i].origin, (Place{0, 64 + 4 * i}));
  }
  const Activity activity = replay.activityOf(StepGranularity::epoch, 0);
  ASSERT_EQ(activity.globalLoads.size(), 4U);
  EXPECT_EQ(activity.globalLoads[2].to, (Place{0, 24}));
  EXPECT_EQ(activity.sharedReads.size(), 1U);
}

/// An atomic operation updates a shared word. Another warp may update it after the first load.
TEST(Replay, AnAtomicsValueIsKnownOnlyFromALoadAfterABarrier) {
  for (const bool isLoaded : {false, true}) {
    toy::Author author(2, 1);
    author.recording->sharedArrays = {{"sum", 0, 4, 1}};
    uint32_t instruction = 0;
    const auto add = [&](Operation operation, float value) {
      author.event(0, instruction++, 1, operation, Space::shared, 0, toy::everyThread(0, value));
    };
    add(Operation::atomic, 5);
    if (isLoaded) {
      add(Operation::load, 6);
      author.barrier(0, instruction++, 1);
      add(Operation::load, 7);
    }
    author.recording->finish();
    const Replay replay(author.recording, Cut{});
    const BlockState state = replay.stateAfter(StepGranularity::epoch, 0);
    ASSERT_EQ(state.shared.size(), 1U);
    EXPECT_TRUE(state.shared[0].written);
    EXPECT_EQ(state.shared[0].known, isLoaded);
    if (isLoaded) {
      EXPECT_EQ(state.shared[0].bits, toy::bitsOf(7));
    }
    EXPECT_EQ(replay.activityOf(StepGranularity::epoch, 0).atomics.size(), 2U);
  }
}

}  // namespace tilestep::trace::replay_test
