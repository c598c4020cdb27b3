// SPDX-License-Identifier: Apache-2.0
// Blocks over time: requests, figures, and explanations when there is no timeline.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "features/timeline/timeline_view.h"
#include "model/export/table.h"
#include "model/timeline_figures.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::timeline_test {

class TimelineSession : public SessionFixture {
 protected:
  void openOn(const std::string& device) {
    log->gpu = device == "auto" || device == "cuda:0";
    log->recording = true;
    SessionOptions options;
    options.device = device;
    options.sizes = {{"m", 256}, {"n", 256}, {"k", 256}};
    open(options);
    settle();
  }
  /// Waits for the view of a large launch, which is made on another thread.
  void waitForView() {
    for (int i = 0; i < 2000 && snapshot().view<TimelineStage>().coming; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      settle();
    }
  }
  const TimelineStage& stage() { return snapshot().view<TimelineStage>(); }
};

TEST_F(TimelineSession, GpuProvidesATimelineOfTheMeasuredLaunch) {
  openOn("cuda:0");
  ASSERT_TRUE(stage().view);
  const TimelineView& view = *stage().view;
  EXPECT_FALSE(stage().stale || stage().coming);
  EXPECT_EQ(stage().note, "");
  EXPECT_EQ(view.grid, snapshot().figuresMain->plan.launches.front().grid);
  EXPECT_EQ(view.timeline.blocks(), view.grid.count());
  EXPECT_EQ(view.origin, "measured on Test GPU, by its own clocks");
  EXPECT_TRUE(has(view.overhead, "1.25 times the plain kernel's time"));
  EXPECT_EQ(view.lanes.lanesPerSm, 1U);
  EXPECT_EQ(view.waveCount, view.grid.count() / 2);
}

TEST_F(TimelineSession, FactsHaveFormulas) {
  openOn("cuda:0");
  const TimelineView& view = *stage().view;
  const auto fact = [&](const std::string& name) {
    for (const TimelineFact& one : view.facts)
      if (one.name == name) return one;
    return TimelineFact{};
  };
  const std::string blocks = grouped(view.grid.count());
  EXPECT_EQ(fact("waves").value, std::to_string(view.grid.count() / 2) + ".00");
  EXPECT_TRUE(
      has(fact("waves").hover, blocks + " blocks ÷ (2 multiprocessors × 1 blocks together)"));
  EXPECT_EQ(fact("tail").value, "0 %");
  EXPECT_EQ(fact("achieved occupancy").value, "50.0 %");
  EXPECT_EQ(fact("at barriers").value, "25.0 %");
  EXPECT_EQ(fact("blocks together").value, "1");
  for (const TimelineFact& one : view.facts) EXPECT_FALSE(one.hover.empty()) << one.name;
}

TEST(TimelineFacts, StateTheirBlocks) {
  TimelineView view;
  trace::Timeline& t = view.timeline;
  t.sm.assign(4096, 0);
  t.epochs = 2;
  t.epochStep = 4098;
  t.epochBusy = {100, 110};
  t.epochWait = {10, 14};
  EXPECT_EQ(keptBlocks(t), "block 0 of 4,096 blocks");
  t.phases = 1;
  t.epochsPerPhase = 2;
  view.phaseCycles = {{100, 10}, {110, 14}};
  const auto name = [](uint32_t epoch) { return epoch == 0 ? "load" : "compute"; };
  EXPECT_EQ(view.phaseText(name),
            "Shares of a warp's time over block 0 of 4,096 blocks: load 42.7 %, compute 47.0 %, "
            "at barriers 10.3 %. A phase, on average: load 100 cycles, then 10 at its barrier; "
            "compute 110 cycles, then 14 at its barrier. Other warps work meanwhile.");
  EXPECT_EQ(view.phaseFormulas(name),
            "Over block 0 of 4,096 blocks:\nload: 100 ÷ 234 warp-cycles = 42.7 %\n"
            "compute: 110 ÷ 234 warp-cycles = 47.0 %\n"
            "at barriers: 24 ÷ 234 warp-cycles = 10.3 %");
  t.epochStep = 8;
  t.epochBusy.resize(2 * 512);
  t.epochWait.resize(2 * 512);
  EXPECT_EQ(keptBlocks(t), "every eighth block, 512 of 4,096 blocks");
  t.sm.assign(512, 0);
  EXPECT_EQ(keptBlocks(t), "all 512 blocks");
  t.sm.assign(1, 0);
  t.epochStep = 1;
  t.epochBusy.resize(2);
  t.epochWait.resize(2);
  EXPECT_EQ(keptBlocks(t), "its one block");
}

TEST(TimelineFacts, LaunchOfOneBlockIsDescribedAsOneBlock) {
  lab::RunResult result;
  result.kernel = "one";
  result.plan.launches.resize(1);
  trace::Timeline& t = result.timeline.emplace();
  t.tickNs = t.multiprocessors = t.maxWarps = t.warpsPerBlock = 1;
  t.clockMhz = 1000;
  t.sm = {0};
  t.startNs = {0};
  t.endNs = t.busyWarpCycles = t.waitWarpCycles = t.activeCycles = {8};
  t.epochs = t.epochStep = 1;
  t.epochBusy = t.epochWait = {8};
  const auto view = timelineViewOf(result);
  const auto waits = std::ranges::find(view->facts, "at barriers", &TimelineFact::name);
  ASSERT_NE(waits, view->facts.end());
  EXPECT_TRUE(waits->hover.starts_with("Share of a warp's time over its one block, from"))
      << waits->hover;
}

/// Of two blocks, one has kept epochs; it waited less than the other block.
TEST(TimelineFacts, ShareOfAllBlocksDiffersFromTheShareOfSome) {
  lab::RunResult result;
  result.kernel = "two";
  result.plan.launches.resize(1);
  result.plan.launches.front().grid = {2, 1, 1};
  trace::Timeline& t = result.timeline.emplace();
  t.tickNs = t.multiprocessors = t.warpsPerBlock = 1;
  t.maxWarps = 2;
  t.clockMhz = 1000;
  t.sm = {0, 0};
  t.startNs = {0, 0};
  t.endNs = {100, 100};
  t.activeCycles = {100};
  t.busyWarpCycles = {90, 60};
  t.waitWarpCycles = {10, 40};
  t.phases = 1;
  t.epochsPerPhase = 2;
  t.epochs = 3;
  t.epochStep = 2;
  t.epochBusy = {30, 50, 10};
  t.epochWait = {6, 4, 0};
  const auto name = [](uint32_t epoch) { return epoch == 0 ? "load" : "compute"; };
  const auto some = timelineViewOf(result);
  const auto fact = [](const TimelineView& view) {
    return *std::ranges::find_if(
        view.facts, [](const TimelineFact& one) { return one.name.starts_with("at barriers"); });
  };
  EXPECT_EQ(fact(*some).name, "at barriers, all blocks");
  EXPECT_EQ(fact(*some).value, "25.0 %");
  EXPECT_TRUE(
      some->phaseText(name).starts_with("Shares of a warp's time over block 0 of 2 blocks: "
                                        "load 30.0 %, compute 50.0 %, at barriers "
                                        "10.0 %, outside of phases 10.0 %. "))
      << some->phaseText(name);
  t.epochStep = 1;
  t.epochBusy = {30, 50, 10, 20, 35, 5};
  t.epochWait = {6, 4, 0, 30, 10, 0};
  const auto second = metrics::phaseTime(t, 1);
  ASSERT_TRUE(second);
  EXPECT_EQ(TimelineView::sharesText(*second, name),
            "load 20.0 %, compute 35.0 %, at barriers 40.0 %, outside of phases 5.00 %");
  EXPECT_FALSE(metrics::phaseTime(t, 2)) << "no such block";
  const auto all = timelineViewOf(result);
  EXPECT_EQ(fact(*all).name, "at barriers");
  EXPECT_EQ(fact(*all).value, "25.0 %");
  EXPECT_TRUE(all->phaseText(name).starts_with(
      "Shares of a warp's time over all 2 blocks: load 25.0 %, compute 42.5 %, at barriers 25.0 %, "
      "outside of phases 7.50 %. "))
      << all->phaseText(name);
}

TEST_F(TimelineSession, DrainBeginsWhenNoBlockIsLeftToStart) {
  openOn("cuda:0");
  const TimelineView& view = *stage().view;
  const auto at = std::ranges::find(view.facts, "no blocks left to start", &TimelineFact::name);
  ASSERT_NE(at, view.facts.end());
  const trace::Timeline& t = view.timeline;
  const uint64_t last = *std::ranges::max_element(t.startNs);
  EXPECT_EQ(at->value,
            toText(static_cast<double>(view.spanNs - last) / static_cast<double>(view.spanNs),
                   Unit::ratio));
  EXPECT_GE(last, 1U);
  EXPECT_TRUE(has(std::ranges::find(view.facts, "tail", &TimelineFact::name)->hover,
                  "the first multiprocessor has no block left"));
}

TEST_F(TimelineSession, PointWithoutATimelineSuggestsTheNearestOne) {
  openOn("recorded:test-gpu");
  ASSERT_TRUE(stage().view);
  session->apply(command("choice.measure_size", "m", 250));
  session->poll(now += 0.1);
  EXPECT_TRUE(
      snapshot().view<TimelineStage>().stale);  // Another point's timeline is shown meanwhile.
  settle();
  EXPECT_FALSE(stage().view);
  EXPECT_FALSE(stage().coming);
  EXPECT_TRUE(has(stage().note, "no timeline"));
  ASSERT_TRUE(stage().nearest);
  session->goTo(*stage().nearest);
  settle();
  waitForView();
  ASSERT_TRUE(stage().view);
  EXPECT_EQ(stage().view->sizes.at("m"), 512);
}

TEST_F(TimelineSession, FailedTimelineHasAReasonAndIsRetried) {
  openOn("cuda:0");
  session->apply(command("choice.measure_size", "m", 128));
  for (int i = 0; i < 20 && (log->runs.empty() || !log->runs.front().experiment.timeline); ++i) {
    log->answerRuns();
    session->poll(now += 0.1);
  }
  ASSERT_FALSE(log->runs.empty());
  EXPECT_TRUE(snapshot().view<TimelineStage>().coming);
  log->fail("the clock stood still");
  settle();
  EXPECT_FALSE(stage().view);
  EXPECT_FALSE(stage().coming);
  EXPECT_TRUE(has(stage().note, "the clock stood still"));
  session->apply(command("figures.again"));
  settle();
  EXPECT_TRUE(stage().view);
}

TEST_F(TimelineSession, EpochsHaveTheNamesOfTheScenesSteps) {
  openOn("cuda:0");
  ASSERT_TRUE(stage().view);
  EXPECT_EQ(stage().kinds,
            (std::vector<trace::StepKind>{trace::StepKind::load, trace::StepKind::compute}));
  const TimelineView& view = *stage().view;
  EXPECT_EQ(view.rowOf(3), view.timeline.epochStep == 1 ? std::optional<size_t>(3) : std::nullopt);
}

TEST_F(TimelineSession, ViewOfManyBlocksIsMadeOnAnotherThread) {
  openOn("cuda:0");
  for (const char* name : {"m", "n", "k"})
    session->apply(command("choice.measure_size", name, 1024));
  settle();
  EXPECT_TRUE(stage().stale || stage().coming);
  waitForView();
  ASSERT_TRUE(stage().view);
  EXPECT_GT(stage().view->timeline.blocks(), 4096U);
  EXPECT_FALSE(stage().stale || stage().coming);
  EXPECT_FALSE(stage().view->rowOf(0));  // There are too many epochs to keep.
}

TEST_F(TimelineSession, TableHasARowForEachBlock) {
  openOn("cuda:0");
  const Table twin = tableOf("timeline", snapshot());
  ASSERT_EQ(twin.rows.size(), stage().view->timeline.blocks());
  EXPECT_TRUE(has(twin.title, "measured on Test GPU", "1.25 times"));
  const auto& row = twin.rows[5];
  const Dim3 at = stage().view->blockAt(5);
  EXPECT_EQ(row[0], "5");
  EXPECT_EQ(row[1], std::to_string(at.x));
  EXPECT_EQ(row[4], "1");  // Odd blocks run on the second SM.
  EXPECT_EQ(row[6], "3");  // The third wave.
}

TEST(TimelineView, NearestBlockWithEpochsHasKeptEpochs) {
  TimelineView view;
  view.timeline.sm.assign(10, 0);
  view.timeline.epochs = 2;
  view.timeline.epochStep = 4;
  view.timeline.epochBusy.assign(6, 1);
  view.timeline.epochWait.assign(6, 1);
  EXPECT_EQ(view.rowOf(4), 1U);
  EXPECT_EQ(view.rowOf(5), std::nullopt);
  EXPECT_EQ(view.nearestWithEpochs(5), 4U);
  EXPECT_EQ(view.nearestWithEpochs(6), 8U);
  EXPECT_EQ(view.nearestWithEpochs(9), 8U);
  view.timeline.epochStep = 0;
  EXPECT_EQ(view.nearestWithEpochs(9), std::nullopt);
}

}  // namespace tilestep::features::timeline_test
