// SPDX-License-Identifier: Apache-2.0
// Damaged traces and timelines. Each is refused, or can be replayed and evaluated to its end.
#include <gtest/gtest.h>

#include <memory>

#include "base/tree_archive.h"
#include "fuzz/allocation_guard.h"
#include "fuzz/mutate.h"
#include "lab/describe.h"
#include "metrics/timeline.h"
#include "trace/replay.h"
#include "trace/tally.h"
#include "trace/timeline.h"
#include "unit/trace/toy_kernels.h"

namespace tilestep::trace::columns_fuzz_test {

using fuzz::Mutator;
using Columns = std::vector<BlockTrace::Column>;

std::vector<Cut> cuts() {
  Cut byEpochs, byK;
  byEpochs.epochsPerPhase = 2;
  byEpochs.phases = 2;
  byK.phaseLength = 2;
  byK.operands = {{Cut::K::column, 5, 4}, {Cut::K::row, 5, 4}, {Cut::K::none, 0, 0}};
  return {Cut{}, byEpochs, byK};
}

/// Reads everything that a view would read.
void walkThrough(const std::shared_ptr<const BlockTrace>& recording, const Cut& cut) {
  const Replay replay(recording, cut);
  Tally sum;
  for (const StepGranularity grain :
       {StepGranularity::phase, StepGranularity::epoch, StepGranularity::event}) {
    // Visits only a few hundred events, because the time would grow with the square of their
    // number.
    const size_t stride = grain == StepGranularity::event ? 17 : 1;
    for (size_t i = 0; i < replay.size(grain); i += stride) {
      const Step step = replay.step(grain, i);
      EXPECT_LT(step.lastEvent, recording->size());
      const Activity activity = replay.activityOf(grain, i);
      const BlockState state = replay.stateAfter(grain, i);
      EXPECT_EQ(state.shared.size(), replay.start().shared.size());
      if (grain == StepGranularity::phase) sum += tallyOf(replay, grain, i);
    }
  }
  EXPECT_EQ(sum.accumulates, tallyOf(*recording).accumulates);
}

void damage(Columns& columns, Mutator& mutator) {
  for (size_t i = 1 + mutator.pick(3); i > 0; --i) {
    auto& column = columns[mutator.pick(columns.size())];
    const size_t before = column.bytes.size();
    mutator.change(column.bytes);
    // Lengths are usually kept, because a column of the wrong length is refused at once.
    if (mutator.pick(4) != 0) column.bytes.resize(before);
  }
  if (mutator.pick(50) == 0) columns.erase(columns.begin());
  if (mutator.pick(50) == 0) columns.push_back(columns[mutator.pick(columns.size())]);
}

TEST(FuzzColumns, RefusedOrReplayed) {
  const std::vector<Columns> originals{toy::tiled(5, 4)->columns(), toy::naive(5, 8, 8)->columns()};
  Mutator mutator(4);
  int accepted = 0;
  constexpr int kTrials = 3000;
  fuzz::resetLargestAllocation();
  for (int trial = 0; trial < kTrials; ++trial) {
    Columns columns = originals[mutator.pick(originals.size())];
    damage(columns, mutator);
    auto read = BlockTrace::fromColumns(columns);
    if (!read) continue;
    ++accepted;
    const auto recording = std::make_shared<const BlockTrace>(std::move(read).value());
    if (trial % 3 == 0) {
      for (const Cut& cut : cuts()) walkThrough(recording, cut);
    }
    EXPECT_TRUE(BlockTrace::fromColumns(recording->columns()));
  }
  EXPECT_GT(accepted, kTrials / 20) << "else this tests nothing but refusals";
  EXPECT_LT(accepted, kTrials) << "else nothing is checked";
  EXPECT_LT(fuzz::largestAllocation(), size_t{4} << 20);
}

Timeline timeline() {
  Timeline t;
  t.device = "cuda:0";
  t.tickNs = 32;
  t.multiprocessors = 3;
  t.maxWarps = 64;
  t.warpsPerBlock = 2;
  t.clockMhz = 1980;
  t.phases = 2;
  t.epochsPerPhase = 2;
  t.epochs = 5;
  t.epochStep = 4;
  t.activeCycles.assign(3, 4000);
  for (uint32_t b = 0; b < 16; ++b) {
    t.sm.push_back(b % 3);
    t.startNs.push_back(uint64_t{32} * b);
    t.endNs.push_back(uint64_t{32} * b + 320);
    t.busyWarpCycles.push_back(1000 + b);
    t.waitWarpCycles.push_back(100);
  }
  t.epochBusy.assign(20, 200);
  t.epochWait.assign(20, 25);
  return t;
}

TEST(FuzzColumns, TimelinesAreRefusedOrEvaluated) {
  const auto bytesOf = [](Timeline t) { return toCbor([&](Archive& io) { describe(io, t); }); };
  const fuzz::Bytes original = bytesOf(timeline());
  Mutator mutator(5);
  int accepted = 0;
  constexpr int kTrials = 3000;
  fuzz::resetLargestAllocation();
  for (int trial = 0; trial < kTrials; ++trial) {
    fuzz::Bytes bytes = original;
    mutator.change(bytes);
    Timeline t;
    if (!readCbor(bytes, "timeline", Trust::stranger, [&](Archive& io) { describe(io, t); }))
      continue;
    ++accepted;
    EXPECT_LE(metrics::waves(t).blocksTogether, t.blocks());
    EXPECT_LE(metrics::barrierWaitShare(t), 1);
    EXPECT_EQ(metrics::residentWarps(t, 7).size(), 7U);
    for (size_t row = 0; row < t.rows(); ++row)
      EXPECT_EQ(metrics::epochSpans(t, row).size(), t.epochs);
    EXPECT_LE(metrics::phaseEpochCycles(t).size(), 65536U);
  }
  EXPECT_GT(accepted, kTrials / 100) << "else this tests nothing but refusals";
  EXPECT_LT(accepted, kTrials) << "else nothing is checked";
  EXPECT_LT(fuzz::largestAllocation(), size_t{4} << 20);
}

}  // namespace tilestep::trace::columns_fuzz_test
