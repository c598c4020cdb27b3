// SPDX-License-Identifier: Apache-2.0
#include "model/session.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "features/gains/view.h"
#include "features/lessons/view.h"
#include "features/load_history/load_history.h"
#include "features/occupancy/occupancy_view.h"
#include "features/roofline/roofline_view.h"
#include "features/traffic/view.h"
#include "features/warps/view.h"
#include "support/results.h"
#include "support/source_root.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model::session_test {

class SessionTest : public SessionFixture {
 protected:
  /// Removes the next run at the measured size from the log and returns it. Answers other runs.
  FakeClient::Asked waitForWholeRun() {
    for (int i = 0; i < 8; ++i) {
      session->poll(now += 0.1);
      for (auto at = log->runs.begin(); at != log->runs.end(); ++at) {
        if (at->experiment.traceBlock) continue;
        FakeClient::Asked asked = *at;
        log->runs.erase(at);
        return asked;
      }
      log->answerRuns();
    }
    ADD_FAILURE() << "nothing was requested at the measured size";
    return {};
  }
};

const Ratio* rowOf(const TrafficTable& table, const std::string& name) {
  for (const Ratio& row : table.rows)
    if (row.name == name) return &row;
  return nullptr;
}

TEST_F(SessionTest, ASlotIsReadByAllThreadsOfItsRow) {
  open();
  settle();
  const Ratio* reuse = rowOf(snapshot().view<features::TrafficView>().phase, "Reads of a slot");
  ASSERT_TRUE(reuse);
  EXPECT_EQ(reuse->own, 4);
  EXPECT_FALSE(reuse->base);
}

TEST_F(SessionTest, TheWarpViewShowsLanesSectorsAndBanks) {
  open();
  settle();
  ASSERT_TRUE(snapshot().view<features::WarpsView>().main);
  EXPECT_EQ(snapshot().view<features::WarpsView>().main->groups,
            (std::vector<std::string>{"load M", "store Mds", "load N", "store Nds"}));
  // Four rows of four floats of a matrix with eight columns: half of each sector.
  EXPECT_EQ(snapshot().view<features::WarpsView>().main->lanes.size(), 16U);
  EXPECT_EQ(snapshot().view<features::WarpsView>().main->lanes[5].name, "M[1][1]");
  EXPECT_EQ(snapshot().view<features::WarpsView>().main->global.sectors.size(), 4U);
  EXPECT_EQ(snapshot().view<features::WarpsView>().main->verdict,
            "16 lanes, 4 sectors; 2 would suffice: 50 % of the bytes moved are used.");
  session->apply(command("warps.access", "store Nds", 0));
  session->poll(now += 0.1);
  EXPECT_EQ(snapshot().view<features::WarpsView>().main->shared.wavefronts, 1U);
  EXPECT_EQ(snapshot().view<features::WarpsView>().main->lanes[5].name, "Nds[1][1]");
  // A step that has the chosen access shows it; other steps show a different access.
  session->apply(command("warps.access", "load Nds", 1000));
  session->apply(command("steps.move", Move::forward));
  session->poll(now += 0.1);
  EXPECT_EQ(snapshot()
                .view<features::WarpsView>()
                .main->groups[snapshot().view<features::WarpsView>().main->group],
            "load Nds");
  EXPECT_EQ(snapshot().view<features::WarpsView>().main->index + 1,
            snapshot().view<features::WarpsView>().main->size);
  session->apply(command("steps.move", Move::last));
  session->poll(now += 0.1);
  EXPECT_EQ(snapshot().view<features::WarpsView>().main->groups,
            std::vector<std::string>{"store P"});
}

TEST_F(SessionTest, ADamagedLessonGivesANoticeAndTheOpenLessonRemains) {
  open();
  settle();
  session->apply(
      command("lessons.open", snapshot().view<features::LessonsView>().lessons.front().file));
  session->apply(command("lessons.open", support::sourceRoot() + "/README.md"));
  settle();
  ASSERT_NE(notice("lesson"), nullptr);
  EXPECT_TRUE(has(notice("lesson")->text, "README.md:"));
  EXPECT_EQ(snapshot().view<features::LessonsView>().lesson->lesson->title, "Why tile");
}

TEST_F(SessionTest, AStepOfTheWholeKernelIsNotAWriteBack) {
  SessionOptions options;
  options.kernel = "matmul_naive";
  open(options);
  settle();
  session->apply(command("steps.grain", trace::StepGranularity::epoch));
  settle();
  EXPECT_EQ(snapshot().sentence,
            "16 threads, k = 0…7: naive asks for 256 element loads in 16 requests and 40 sectors; "
            "stores 16 elements to 4 sectors.");
}

TEST_F(SessionTest, AFaultOnAGpuOffersARunInTheInterpreter) {
  log->gpu = true;
  open();
  settle();
  session->apply(command("figures.again"));
  const FakeClient::Asked asked = waitForWholeRun();
  ASSERT_NE(asked.experiment.device, "simt");
  lab::RunResult faulty = toyResult(asked.experiment);
  faulty.device.measures = true;
  faulty.faults.push_back({"out-of-bounds", {}, 0, 1, "matmul_tiled touched memory."});
  log->answers.push_back({asked.id, lab::shared(faulty)});
  session->poll(now += 0.1);
  ASSERT_NE(notice("measure"), nullptr);
  ASSERT_TRUE(notice("measure")->fix);
  EXPECT_TRUE(notice("measure")->fix->tunable.empty());
  session->apply(command("figures.interpret"));
  const FakeClient::Asked second = waitForWholeRun();
  const lab::Experiment& again = second.experiment;
  EXPECT_EQ(again.device, "simt");
  EXPECT_TRUE(again.sizes == asked.experiment.sizes);
  // The finding names the line and offers no fix.
  lab::RunResult found = toyResult(again);
  found.faults.push_back({"out-of-bounds", {17, {}, {}}, 0, 1, "P[5] is past the end."});
  log->answers.push_back({second.id, lab::shared(found)});
  session->poll(now += 0.1);
  ASSERT_NE(notice("count"), nullptr);
  EXPECT_TRUE(has(notice("count")->text, "line 17"));
  EXPECT_FALSE(notice("count")->fix);
}

TEST_F(SessionTest, TheMeasuredSizeIsTimedSeparatelyFromTheScene) {
  log->gpu = true;
  open();
  session->apply(command("choice.measure_size", "m", 1024));
  session->poll(now += 0.1);
  session->poll(now += 0.1);
  std::vector<lab::Experiment> measured, traced;
  for (const FakeClient::Asked& asked : log->runs)
    (asked.experiment.measure ? measured : traced).push_back(asked.experiment);
  ASSERT_EQ(measured.size(), 2U);
  EXPECT_EQ(measured[0].device, "cuda:0");
  EXPECT_EQ(measured[0].sizes.at("m"), 1024);
  // The interpreter's steps are shown until the GPU is known and records its own.
  ASSERT_EQ(traced.size(), 4U);
  EXPECT_EQ(traced[0].device, "simt");
  EXPECT_EQ(traced[2].device, "cuda:0");
  EXPECT_EQ(traced[3].device, "cuda:0");
  EXPECT_FALSE(traced[2].counters);
  EXPECT_EQ(traced[2].sizes.at("m"), 8);
  settle();
  EXPECT_EQ(snapshot().badge.text, "measured on Test GPU");
  ASSERT_TRUE(snapshot().figuresMain);
  EXPECT_TRUE(snapshot().figuresMain->measurement);
  ASSERT_EQ(snapshot().history.size(), 1U);
  EXPECT_NEAR(*snapshot().history[0].gflops, 2.0 * 1024 * 1024 * 1024 / 0.5e-3 / 1e9, 1e-6);
  EXPECT_EQ(log->ceilingsOf, std::vector<std::string>{"cuda:0"});
}

TEST_F(SessionTest, ATimelineIsRequestedAfterItsMeasurement) {
  log->gpu = true;
  open();
  const auto timelines = [&] {
    return std::ranges::count_if(log->runs, [&](const FakeClient::Asked& asked) {
      return asked.experiment.timeline && !log->isCancelled(asked.id);
    });
  };
  session->poll(now += 0.1);
  session->poll(now += 0.1);
  EXPECT_EQ(timelines(), 0);
  log->answerRuns();
  session->poll(now += 0.1);
  const auto achieved = [&] {
    const auto* view = snapshot().views.get<features::OccupancyView>();
    return view == nullptr ? std::nullopt : view->achieved;
  };
  ASSERT_NE(snapshot().views.get<features::OccupancyView>(), nullptr);
  EXPECT_FALSE(achieved()) << "not known yet, so not shown";
  settle();
  ASSERT_TRUE(achieved());
  EXPECT_DOUBLE_EQ(achieved()->achievedOccupancy, 0.5);
  EXPECT_DOUBLE_EQ(achieved()->barrierWaitShare, 0.25);
  // Another choice has no timeline until its own has arrived.
  session->apply(command("tuning.set", "TILE_WIDTH", 8));
  session->poll(now += 0.01);
  EXPECT_FALSE(achieved());
  EXPECT_EQ(timelines(), 0);
}

TEST_F(SessionTest, RequestedHardwareCountersAppearInTheRoofline) {
  log->gpu = true;
  open();
  settle();
  const auto points = [&](metrics::Level level, bool hollow) {
    return std::ranges::count_if(snapshot().view<features::RooflineView>().points,
                                 [&](const features::RoofPoint& at) {
                                   return at.point.level == level && at.point.hollow == hollow;
                                 });
  };
  EXPECT_EQ(points(metrics::Level::dram, true), 2);
  EXPECT_EQ(points(metrics::Level::l2, false), 0);
  EXPECT_FALSE(snapshot().view<features::GainsView>().ratios.l2.value());
  ASSERT_TRUE(snapshot().hardwareReadable);
  session->apply(command("figures.hardware"));
  session->poll(now += 0.1);
  EXPECT_TRUE(snapshot().busy.count);
  ASSERT_FALSE(log->runs.empty());
  EXPECT_TRUE(log->runs.back().experiment.thorough)
      << "bytes with cold caches need times with cold caches";
  settle();
  EXPECT_EQ(points(metrics::Level::dram, false), 2);
  EXPECT_EQ(points(metrics::Level::l2, false), 2);
  EXPECT_EQ(snapshot().view<features::GainsView>().ratios.l2.value(), 2);
  ASSERT_TRUE(snapshot().figuresMain->measurement) << "the times remain";
  EXPECT_EQ(snapshot().figuresMain->measurement->medianMs, 0.5);
  for (const features::RoofPoint& at : snapshot().view<features::RooflineView>().points) {
    const bool cold =
        at.point.level == metrics::Level::l2 || at.point.level == metrics::Level::dram;
    EXPECT_EQ(at.point.coldPerformance, cold);
    EXPECT_EQ(at.hover.find("both measured with cold caches") != std::string::npos, cold)
        << at.hover;
  }
  EXPECT_FALSE(snapshot().hardwareReadable);
  EXPECT_FALSE(snapshot().busy.count);
}

TEST_F(SessionTest, AFailedConnectionGivesANotice) {
  SessionOptions options;
  options.home = support::sourceRoot();
  Session alone(options, features::makeFeatures());
  alone.connectFailed(workError("The worker cannot be started."));
  alone.poll(0);
  EXPECT_EQ(alone.snapshot()->badge.kind, Badge::Kind::failed);
  ASSERT_EQ(alone.snapshot()->notices.size(), 1U);
}

TEST_F(SessionTest, TheNextBlockFollowsTheLastStep) {
  open();
  settle();
  const Dim3 grid = next().plan->launches.front().grid;
  ASSERT_GT(grid.count(), 1U);
  session->apply(command("steps.move", Move::last));
  session->apply(command("steps.move", Move::forward));
  settle();
  EXPECT_EQ(next().choice.block, (Dim3{1, 0, 0}));
  EXPECT_EQ(kept->position.index, 0U);
  session->apply(command("choice.block", Dim3{grid.x - 1, grid.y - 1, 0}));
  settle();
  session->apply(command("steps.move", Move::last));
  session->apply(command("steps.move", Move::forward));
  settle();
  EXPECT_EQ(next().choice.block, (Dim3{grid.x - 1, grid.y - 1, 0}));
  EXPECT_NE(notice("last block"), nullptr);
}

}  // namespace tilestep::model::session_test
