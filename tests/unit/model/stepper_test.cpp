// SPDX-License-Identifier: Apache-2.0
// Stepping forward and back over random traces gives the same states, and each step equals a replay
// from the start. A companion follows as Stepper::together says.
#include "model/scene/stepper.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <utility>
#include <vector>

#include "unit/trace/toy_kernels.h"

namespace tilestep::model::stepper_test {

using trace::Operation;
using trace::Space;
using trace::StepGranularity;

/// A block with `epochs` epochs, two arrays and one operand, which randomly loads, stores, adds and
/// waits.
std::shared_ptr<trace::BlockTrace> randomRecording(std::mt19937& random, uint32_t epochs) {
  const uint32_t width = 1 + random() % 16, height = 1 + random() % 6;
  trace::toy::Author author(width, height);
  trace::BlockTrace& recording = *author.recording;
  recording.sharedArrays = {{"Mds", 0, 256, 8}, {"Nds", 256, 256, 8}};
  recording.accumulators = 1;
  recording.feeds = {{2, 0}, {2, 1}, {3, 1}, {4, 0}};
  constexpr std::array<std::pair<Operation, Space>, 5> kKinds{{{Operation::load, Space::global},
                                                               {Operation::load, Space::shared},
                                                               {Operation::accumulate, Space::none},
                                                               {Operation::store, Space::global},
                                                               {Operation::store, Space::shared}}};
  for (uint32_t epoch = 0; epoch < epochs; ++epoch) {
    for (uint32_t warp = 0; warp < author.warps(); ++warp)
      for (uint32_t events = random() % 7; events > 0; --events) {
        const uint32_t kind = random() % kKinds.size();
        const auto [operation, space] = kKinds[kind];
        const int16_t buffer =
            operation == Operation::accumulate
                ? 0
                : static_cast<int16_t>(random() % (space == Space::shared ? 2 : 3));
        author.event(warp, kind, 10 + kind, operation, space, buffer,
                     [&](uint32_t, uint32_t, uint32_t& offset, float& value) {
                       offset = 4 * static_cast<uint32_t>(random() % 64);
                       value = static_cast<float>(random() % 5);
                       return random() % 4 > 0;
                     });
      }
    for (uint32_t warp = 0; warp < author.warps() && epoch + 1 < epochs; ++warp)
      author.barrier(warp, 5, 20);
  }
  recording.finish();
  return author.recording;
}

trace::Cut randomCut(std::mt19937& random, uint32_t epochs) {
  trace::Cut cut;
  cut.operands = {{trace::Cut::K::column, 8, 4}, {trace::Cut::K::row, 8, 4}, {}};
  if (random() % 3 == 0) cut.phaseLength = 1 + random() % 4;
  if (cut.phaseLength == 0 && random() % 2 == 0) {
    cut.epochsPerPhase = 1 + random() % 2;
    cut.phases = epochs / cut.epochsPerPhase;
  }
  return cut;
}

std::shared_ptr<const TracedKernel> sideOf(std::shared_ptr<const trace::BlockTrace> recording,
                                           const trace::Cut& cut, int64_t phaseLength = 0) {
  auto side = std::make_shared<TracedKernel>();
  auto result = std::make_shared<lab::RunResult>();
  result->plan.phaseLength = phaseLength;
  side->result = result;
  side->replay = std::make_shared<const trace::Replay>(std::move(recording), cut);
  side->tallies = trace::tallyByPhase(*side->replay);
  return side;
}

struct Seen {
  size_t index = 0;
  trace::BlockState state;
  std::vector<uint32_t> lines;
  bool operator==(const Seen&) const = default;
};

Seen seen(const Stepper& stepper) {
  const auto step = stepper.mainStep();
  return {stepper.index(), step->state, step->step.lines};
}

TEST(Stepper, ForwardAndBackOverRandomTracesGiveTheSameStates) {
  std::mt19937 random(20260105);
  for (int round = 0; round < 60; ++round) {
    const uint32_t epochs = 1 + random() % 6;
    const auto side = sideOf(randomRecording(random, epochs), randomCut(random, epochs));
    Stepper stepper;
    stepper.setSides(side, nullptr);
    for (const StepGranularity grain :
         {StepGranularity::phase, StepGranularity::epoch, StepGranularity::event}) {
      stepper.setGrain(grain);
      if (stepper.size() == 0) continue;
      stepper.move(Move::first);
      std::vector<Seen> forward{seen(stepper)};
      while (stepper.move(Move::forward)) forward.push_back(seen(stepper));
      ASSERT_EQ(forward.size(), stepper.size());
      // Back to the start, step by step.
      for (size_t i = forward.size(); i-- > 1;) {
        EXPECT_EQ(seen(stepper), forward[i]) << round;
        ASSERT_TRUE(stepper.move(Move::back));
      }
      EXPECT_EQ(seen(stepper), forward[0]) << round;
      // To random steps.
      for (int jump = 0; jump < 8; ++jump) {
        const size_t to = random() % forward.size();
        stepper.goTo(to);
        EXPECT_EQ(seen(stepper), forward[to]) << round;
      }
    }
  }
}

TEST(Stepper, StatesAreEqualAtAllGranularities) {
  std::mt19937 random(77);
  for (int round = 0; round < 40; ++round) {
    const uint32_t epochs = 1 + random() % 5;
    trace::Cut
        cut;  // Cut by epochs, so that the end of each step is one of the recording's events.
    cut.epochsPerPhase = random() % 3;
    cut.phases = cut.epochsPerPhase == 0 ? 0 : epochs / cut.epochsPerPhase;
    const auto side = sideOf(randomRecording(random, epochs), cut);
    const trace::Replay& replay = *side->replay;
    for (const StepGranularity grain : {StepGranularity::phase, StepGranularity::epoch})
      for (size_t i = 0; i < replay.size(grain); ++i) {
        const trace::Step step = replay.step(grain, i);
        // Event by event from the start of the trace to the end of the step.
        const auto slow = makeSteps(side, StepGranularity::event, 0, step.lastEvent);
        EXPECT_EQ(makeStep(side, grain, i)->state, slow->state) << round << ", " << i;
      }
  }
}

trace::Cut tiledCut(uint32_t size, uint32_t tile) {
  trace::Cut cut;
  cut.epochsPerPhase = 2;
  cut.phases = (size + tile - 1) / tile;
  cut.operands = {{trace::Cut::K::column, size, 4}, {trace::Cut::K::row, size, 4}, {}};
  return cut;
}

TEST(Together, NarrowTilesFollowWideOnesAtTheSameK) {
  const auto wide = sideOf(trace::toy::tiled(8, 4), tiledCut(8, 4), 4);
  const auto narrow = sideOf(trace::toy::tiled(8, 2), tiledCut(8, 2), 2);
  Stepper stepper;
  stepper.setSides(wide, narrow);
  EXPECT_EQ(stepper.together(), Together::k);
  stepper.setGrain(StepGranularity::phase);
  auto comparison = stepper.companionStep();
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->firstPhase, 0U);
  EXPECT_EQ(comparison->step.phase, 1U);
  // Two phases of 4 threads with 2 loads each, combined into one step, and the state after the
  // second phase.
  EXPECT_EQ(comparison->activity.globalLoads.size(), 16U);
  EXPECT_EQ(comparison->tally.counters.globalLoad.threads, 16U);
  EXPECT_EQ(comparison->state, narrow->replay->stateAfter(StepGranularity::phase, 1));
  stepper.move(Move::forward);
  comparison = stepper.companionStep();
  EXPECT_EQ(comparison->firstPhase, 2U);
  EXPECT_EQ(comparison->step.phase, 3U);
  stepper.move(Move::last);
  EXPECT_EQ(stepper.companionStep()->step.kind, trace::StepKind::writeBack);
}

TEST(Together, EqualBarriersAreSteppedEpochByEpoch) {
  const auto one = sideOf(trace::toy::tiled(8, 4), tiledCut(8, 4), 4);
  const auto other = sideOf(trace::toy::tiled(8, 4), tiledCut(8, 4), 4);
  Stepper stepper;
  stepper.setSides(one, other);
  EXPECT_EQ(stepper.together(), Together::epochs);
  stepper.setGrain(StepGranularity::epoch);
  do EXPECT_EQ(stepper.companionStep()->step.epoch, stepper.mainStep()->step.epoch);
  while (stepper.move(Move::forward));
  stepper.setGrain(StepGranularity::event);
  stepper.goTo(7);
  EXPECT_EQ(stepper.companionStep()->grain, StepGranularity::epoch);
  EXPECT_EQ(stepper.companionStep()->step.epoch, stepper.mainStep()->step.epoch);
}

TEST(Together, OtherwiseTheShareOfEpochsDecides) {
  std::mt19937 random(5);
  for (const auto& [mine, other] : {std::pair{1U, 2U}, {2U, 1U}, {3U, 2U}, {2U, 5U}, {6U, 4U}}) {
    const auto main = sideOf(randomRecording(random, mine), {});
    const auto comparison = sideOf(randomRecording(random, other), {});
    if (main->replay->size(StepGranularity::epoch) != mine ||
        comparison->replay->size(StepGranularity::epoch) != other)
      continue;  // An epoch without events.
    Stepper stepper;
    stepper.setSides(main, comparison);
    EXPECT_EQ(stepper.together(), Together::share);
    stepper.setGrain(StepGranularity::epoch);
    for (size_t i = 0; i < mine; ++i) {
      stepper.goTo(i);
      // An equal share is completed at the smallest epoch with (at + 1) / other >= (i + 1) / mine.
      const size_t at = stepper.companionStep()->index;
      EXPECT_GE((at + 1) * mine, (i + 1) * other);
      EXPECT_LT(at * mine, (i + 1) * other);
    }
    stepper.setGrain(StepGranularity::event);
    size_t last = 0;
    stepper.move(Move::first);
    do {
      EXPECT_GE(stepper.companionStep()->index, last);
      last = stepper.companionStep()->index;
    } while (stepper.move(Move::forward));
    EXPECT_EQ(last, other - 1);
  }
}

/// A transposed tile: thread (x, y) stores the value that thread (y, x) wrote into the slot.
TEST(StoreSources, AreTheSlotsThatTheThreadRead) {
  trace::toy::Author author(2, 2);
  author.recording->sharedArrays = {{"Mds", 0, 16, 2}};
  author.recording->feeds = {{1, 0}, {4, 3}};
  const auto at = [](uint32_t row, uint32_t col) { return 4 * (row * 2 + col); };
  const auto value = [](uint32_t offset) { return static_cast<float>(offset) + 1; };
  author.event(0, 0, 1, Operation::load, Space::global, 0, [&](auto x, auto y, auto& o, auto& v) {
    o = at(y, x);
    v = value(o);
    return true;
  });
  author.event(0, 1, 1, Operation::store, Space::shared, 0, [&](auto x, auto y, auto& o, auto& v) {
    o = at(y, x);
    v = value(o);
    return true;
  });
  author.barrier(0, 2, 2);
  author.event(0, 3, 3, Operation::load, Space::shared, 0, [&](auto x, auto y, auto& o, auto& v) {
    o = at(x, y);
    v = value(o);
    return true;
  });
  author.event(0, 4, 3, Operation::store, Space::global, 1, [&](auto x, auto y, auto& o, auto& v) {
    o = at(y, x);
    v = value(at(x, y));
    return true;
  });
  author.recording->finish();
  const auto side = sideOf(author.recording, {});
  const size_t last = side->replay->size(StepGranularity::event) - 1;
  const auto step = makeStep(side, StepGranularity::event, last);
  ASSERT_EQ(step->storeSources.size(), 4U);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(step->storeSources[i].shared);
    const uint32_t x = i % 2, y = i / 2;
    EXPECT_EQ(step->storeSources[i].place, (trace::Place{0, at(x, y)}));
  }
}

TEST(StoreSources, AreUnknownForSums) {
  const auto side = sideOf(trace::toy::tiled(8, 4), tiledCut(8, 4), 4);
  const auto step =
      makeStep(side, StepGranularity::epoch, side->replay->size(StepGranularity::epoch) - 1);
  ASSERT_EQ(step->storeSources.size(), 16U);
  for (const StoreSource& source : step->storeSources) EXPECT_EQ(source.place.buffer, -1);
}

}  // namespace tilestep::model::stepper_test
