// SPDX-License-Identifier: Apache-2.0
// Live mode: samples are collected and bounded, requests reach the worker in time, and the window
// explains why there is no stream.
#include "features/live/live.h"

#include <gtest/gtest.h>

#include "features/speed_board/board.h"
#include "metrics/timeline.h"
#include "model/export/table.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::live_test {

device::LiveBatch batchOf(double startMs, std::vector<float> ms) {
  device::LiveBatch batch;
  batch.startMs = startMs;
  float at = 0;
  for (const float one : ms) {
    batch.atMs.push_back(at);
    at += one;
  }
  batch.launches = ms.size();
  batch.ms = std::move(ms);
  return batch;
}

LiveRun runOf(int64_t width) {
  LiveRun run;
  auto experiment = std::make_shared<lab::Experiment>();
  experiment->tunables = {{"TILE_WIDTH", width}};
  experiment->sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
  run.experiment = experiment;
  run.key = std::to_string(width);
  run.kernel = "tiled";
  return run;
}

TEST(LiveRecorder, SamplesOfTwoStreamsAreConsecutive) {
  LiveRecorder live;
  live.begin(runOf(8));
  live.add(batchOf(0, {10, 10, 10}), 100);
  live.add(batchOf(30, {10}), 100.01);
  live.begin(runOf(16));
  live.add(batchOf(5, {20}), 101);
  const LiveView view = live.view(101.5);
  ASSERT_EQ(view.points, 5U);
  ASSERT_EQ(view.chunks.size(), 1U);
  const std::vector<LivePoint>& points = *view.chunks[0];
  EXPECT_NEAR(points[0].seconds, 0, 1e-9);
  EXPECT_NEAR(points[3].seconds, 0.03, 1e-6);
  // A stream's clock starts at 0 again, so the arrival time determines its position.
  EXPECT_NEAR(points[4].seconds, 1 + 0.03 - 0.025 + 0.005, 1e-6);
  EXPECT_EQ(view.runOf(points[3])->change, "");
  EXPECT_EQ(view.runOf(points[4])->change, "TILE_WIDTH 8 → 16");
  EXPECT_NEAR(view.seconds, 1.53, 1e-6);
  EXPECT_EQ(view.recent.samples, 1U);
  EXPECT_EQ(view.recent.medianMs, 20);
}

TEST(LiveRecorder, RepeatedChoiceIsNotAChange) {
  LiveRecorder live;
  live.begin(runOf(8));
  live.add(batchOf(0, {1}), 1);
  live.begin(runOf(8));
  live.add(batchOf(0, {1}), 2);
  EXPECT_EQ(live.view(2).runs.size(), 1U);
  // A run without samples leaves no trace.
  live.begin(runOf(4));
  live.begin(runOf(32));
  EXPECT_EQ(live.view(2).runs.size(), 1U);
  live.add(batchOf(0, {1}), 3);
  const LiveView view = live.view(3);
  ASSERT_EQ(view.runs.size(), 2U);
  EXPECT_EQ(view.runs[1].change, "TILE_WIDTH 8 → 32");
}

TEST(LiveRecorder, MemoryIsBoundedAndDroppedSamplesAreCounted) {
  LiveRecorder live;
  live.begin(runOf(8));
  constexpr size_t kBatches = 130, kSamples = 1000;
  for (size_t i = 0; i < kBatches; ++i)
    live.add(batchOf(double(i) * kSamples, std::vector<float>(kSamples, 1.0F)), double(i));
  const LiveView view = live.view(200);
  EXPECT_LE(view.points, kLivePoints + 1000);
  EXPECT_EQ(view.points + view.forgotten, kBatches * kSamples);
  live.clear();
  EXPECT_EQ(live.view(200).points, 0U);
  EXPECT_EQ(live.view(200).forgotten, 0U);
  live.add(batchOf(0, {1}), 201);
  EXPECT_EQ(live.view(201).runs.size(), 1U) << "the present choice continues";
  for (int i = 0; i < 1000; ++i) {
    live.begin(runOf(i));
    live.add(batchOf(0, {1}), 202 + i);
  }
  const LiveView many = live.view(2000);
  EXPECT_EQ(many.runs.size(), kLiveRuns);
  EXPECT_EQ(many.runOf(many.chunks.back()->back())->key, "999");
}

TEST(LiveRecorder, RecentFiguresCoverTheNewestRunsLastSecond) {
  LiveRecorder live;
  live.begin(runOf(8));
  live.add(batchOf(0, std::vector<float>(20, 100.0F)), 2);
  live.add(batchOf(2000, {90, 110, 100, 95, 105}), 2.5);
  const LiveRecent recent = live.view(3).recent;
  EXPECT_NEAR(static_cast<double>(recent.samples), 10, 1);
  EXPECT_EQ(recent.medianMs, 100);
  EXPECT_LT(recent.p10Ms, 100);
  EXPECT_GT(recent.p90Ms, 100);
}

TEST(LiveWarning, DistinguishesAThrottledGpuFromASharedOne) {
  LiveRun run;
  run.measuredMs = 1.0;
  LiveRecent steady{100, 1.0, 0.99, 1.02, 1975, 900};
  EXPECT_EQ(warningOf(steady, run, 1980), "");
  LiveRecent hot = steady;
  hot.clockMhz = 1700;
  EXPECT_TRUE(has(warningOf(hot, run, 1980), "1700 of 1980 MHz"));
  LiveRecent shared = steady;
  shared.medianMs = 1.9;
  EXPECT_TRUE(has(warningOf(shared, run, 1980), "are 1.9 times slower than measured"));
  LiveRecent uneven = steady;
  uneven.p90Ms = 1.4;
  EXPECT_TRUE(has(warningOf(uneven, run, 1980), "differ by 41 %"));
  LiveRecent few = uneven;
  few.samples = 3;
  EXPECT_EQ(warningOf(few, run, 1980), "");
  LiveRecent tiny{100, 0.003, 0.0028, 0.0045, 1975, 9000};
  EXPECT_EQ(warningOf(tiny, LiveRun{}, 1980), "")
      << "the events take a large part of so short a launch";
}

TEST(LiveSplit, CoversPhasesAndTheWholeLaunch) {
  trace::Timeline timeline;
  timeline.price = 1.25;
  timeline.warpsPerBlock = 1;
  timeline.sm = {0};
  timeline.startNs = {0};
  timeline.endNs = {100};
  timeline.busyWarpCycles = {75};
  timeline.waitWarpCycles = {25};
  timeline.activeCycles = {100};
  const auto whole = splitOf(timeline);
  ASSERT_TRUE(whole);
  EXPECT_FALSE(whole->phases);
  EXPECT_DOUBLE_EQ(whole->load, 0.75);
  EXPECT_DOUBLE_EQ(whole->wait, 0.25);
  EXPECT_DOUBLE_EQ(whole->overhead, 1.25);
  timeline.phases = 1;
  timeline.epochsPerPhase = 2;
  timeline.epochs = 3;
  timeline.epochStep = 1;
  timeline.epochBusy = {30, 40, 5};
  timeline.epochWait = {20, 10, 0};
  const auto split = splitOf(timeline);
  ASSERT_TRUE(split && split->phases);
  EXPECT_DOUBLE_EQ(split->load, 30 / 105.0);
  EXPECT_DOUBLE_EQ(split->compute, 40 / 105.0);
  EXPECT_DOUBLE_EQ(split->outside, 5 / 105.0);
  EXPECT_DOUBLE_EQ(split->wait, 30 / 105.0);
  EXPECT_EQ(split->blocks, "") << "all blocks";
  timeline.busyWarpCycles = {75};
  timeline.waitWarpCycles = {30};
  EXPECT_DOUBLE_EQ(split->wait, metrics::barrierWaitShare(timeline)) << "same definition";
  timeline.sm.assign(64, 0);
  EXPECT_EQ(splitOf(timeline)->blocks, "block 0 of 64 blocks");
  EXPECT_FALSE(splitOf({}));
}

/// A launch of 0.5 ms (0.8 ms with cold caches) that moved 8 kB of DRAM.
lab::RunResult withDram() {
  lab::RunResult result;
  result.measurement = device::Measurement{true, 0.5, 0.5, 0.5, 0.5, 20, {}};
  result.measurement->coldMedianMs = 0.8;
  result.hardware.emplace();
  result.hardware->figures = {{"dram_bytes_read", "a", Unit::bytes, 6000},
                              {"dram_bytes_written", "b", Unit::bytes, 2000}};
  return result;
}

TEST(LiveFacts, DramOfARecordedRunMatchesTheSpeedBoard) {
  lab::RunResult result = withDram();
  result.device.recordedOn = "2026-11-21";
  Snapshot now;
  now.figuresMain = std::make_shared<lab::RunResult>(result);
  const std::vector<Ratio> board = speedFiguresOf(now);
  const auto dram = std::ranges::find(board, "DRAM, caches cold", &Ratio::name);
  ASSERT_NE(dram, board.end());
  EXPECT_DOUBLE_EQ(dram->own.value(), 1e7) << "8 kB in 0.8 ms";
  LiveRun run;
  addFacts(run, result);
  EXPECT_EQ(run.dramName, dram->name);
  ASSERT_TRUE(run.dramMs);
  EXPECT_DOUBLE_EQ(*run.dramBytes / *run.dramMs * 1e3, dram->own.value());
}

TEST(LiveFacts, DramOfAStreamIsAnUpperBound) {
  LiveRun run;
  addFacts(run, withDram());
  EXPECT_EQ(run.dramName, "DRAM, at most");
  EXPECT_EQ(run.dramBytes, 8000);
  EXPECT_FALSE(run.dramMs) << "each launch has its own time, with warm caches";
}

class LiveSession : public SessionFixture {
 protected:
  void openOn(const std::string& device) {
    log->gpu = device == "cuda:0";
    log->recording = !log->gpu;
    SessionOptions options;
    options.device = device;
    open(options);
    settle();
  }
  void watchOn(const std::string& device) {
    openOn(device);
    session->apply(command("live.watch", true));
    settle();
  }
  const LiveView& live() { return next().view<LiveView>(); }
  void sample(std::vector<float> ms) {
    log->samples[log->streams.back().id].push_back(batchOf(0, std::move(ms)));
  }
};

TEST_F(LiveSession, RunsWhileVisible) {
  openOn("cuda:0");
  EXPECT_TRUE(log->streams.empty());
  session->apply(command("live.watch", true));
  settle();
  ASSERT_EQ(log->streams.size(), 1U);
  EXPECT_EQ(log->streams[0].experiment.device, "cuda:0");
  EXPECT_EQ(live().state, LiveView::State::waiting);
  EXPECT_FALSE(snapshot().busy.any()) << "a stream does not make the session busy";
  sample({2, 2, 2});
  EXPECT_EQ(live().state, LiveView::State::running);
  EXPECT_EQ(snapshot().view<LiveView>().points, 3U);
  const LiveRun& run = snapshot().view<LiveView>().runs[0];
  EXPECT_TRUE(run.operations);
  EXPECT_EQ(run.askedBytes, 4000);
  EXPECT_EQ(run.sectorBytes, 80 * 32);
  EXPECT_FALSE(run.dramBytes) << "not counted";
  EXPECT_EQ(run.measuredMs, 0.5);
  ASSERT_TRUE(run.split);
  EXPECT_DOUBLE_EQ(run.split->wait, 0.25);
  session->apply(command("live.watch", false));
  session->poll(now += 0.1);
  EXPECT_TRUE(log->isCancelled(log->streams[0].id));
  EXPECT_EQ(snapshot().view<LiveView>().points, 3U) << "received samples remain";
}

TEST_F(LiveSession, SliderStartsAnotherRunOnceMeasured) {
  watchOn("cuda:0");
  sample({2});
  next();
  session->apply(command("tuning.set", "TILE_WIDTH", 8));
  session->poll(now += 0.1);
  EXPECT_TRUE(log->isCancelled(log->streams[0].id));
  settle();
  ASSERT_EQ(log->streams.size(), 2U);
  sample({1});
  const LiveView& view = live();
  ASSERT_EQ(view.runs.size(), 2U);
  EXPECT_TRUE(has(view.runs[1].change, "TILE_WIDTH", "→ 8"));
  EXPECT_EQ(view.recent.medianMs, 1);
}

TEST_F(LiveSession, PauseEndsTheStreamAndKeepsSamples) {
  watchOn("cuda:0");
  sample({2, 2});
  next();
  session->apply(command("live.pause", true));
  EXPECT_EQ(live().state, LiveView::State::paused);
  EXPECT_TRUE(log->isCancelled(log->streams[0].id));
  const double stopped = snapshot().view<LiveView>().seconds;
  next();
  EXPECT_EQ(snapshot().view<LiveView>().seconds, stopped);
  session->apply(command("live.pause", false));
  settle();
  ASSERT_EQ(log->streams.size(), 2U);
  sample({3});
  EXPECT_EQ(live().points, 3U);
  EXPECT_EQ(snapshot().view<LiveView>().runs.size(), 1U) << "the same choice continues";
  session->apply(command("live.clear"));
  EXPECT_EQ(live().points, 0U);
}

TEST_F(LiveSession, DeadWorkerIsReportedAndNotRestarted) {
  watchOn("cuda:0");
  log->answers.push_back({log->streams[0].id, workError("the worker ended: signal SIGKILL"), true});
  EXPECT_EQ(live().state, LiveView::State::paused);
  EXPECT_EQ(snapshot().view<LiveView>().said, "Live mode ended: the worker ended: signal SIGKILL");
  settle();
  EXPECT_EQ(log->streams.size(), 1U);
  session->apply(command("live.pause", false));
  settle();
  EXPECT_EQ(log->streams.size(), 2U);
  EXPECT_EQ(live().said, "");
  log->answers.push_back({log->streams[1].id, workError("the kernel faulted")});
  next();
  session->apply(command("tuning.set", "TILE_WIDTH", 8));
  settle();
  EXPECT_EQ(log->streams.size(), 3U) << "another choice is tried";
}

TEST_F(LiveSession, OtherRequestsInterruptTheStreamTemporarily) {
  watchOn("cuda:0");
  const uint64_t first = log->streams[0].id;
  session->apply(command("figures.hardware"));
  session->poll(now += 0.1);
  EXPECT_TRUE(log->isCancelled(first));
  log->answers.push_back({first, workError("cancelled")});
  settle();
  ASSERT_EQ(log->streams.size(), 2U);
  sample({2});
  EXPECT_EQ(live().runs.size(), 1U);
  EXPECT_EQ(snapshot().view<LiveView>().runs[0].dramBytes, 4096);
  EXPECT_EQ(snapshot().view<LiveView>().said, "");
}

TEST_F(LiveSession, TableContainsEachLaunch) {
  watchOn("cuda:0");
  sample({2, 4});
  next();
  const Table twin = tableOf("live", snapshot());
  ASSERT_EQ(twin.rows.size(), 2U);
  for (const auto& row : twin.rows) EXPECT_EQ(row.size(), twin.columns.size());
  EXPECT_EQ(twin.columns[0], "seconds");
  EXPECT_EQ(twin.rows[1][1], "4");
}

}  // namespace tilestep::features::live_test
