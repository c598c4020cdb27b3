// SPDX-License-Identifier: Apache-2.0
// The views of a launch that a fault stopped have only the counts up to the fault.
#include "model/text/stopped_launch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "features/gains/view.h"
#include "features/roofline/roofline_view.h"
#include "features/traffic/view.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model::stopped_launch_test {

TEST(StoppedLaunch, LosesItsCountsAndGivesTheLine) {
  lab::RunResult result;
  result.kernel = "matmul_tiled";
  result.counters.emplace();
  EXPECT_EQ(whyNotCounted(&result), "");
  EXPECT_EQ(whyNotCounted(nullptr), "");
  EXPECT_EQ(whereStopped(&result), "");
  EXPECT_EQ(whereStopped(nullptr), "");
  result.faults.push_back({"uninitialised-read", {94, {}, {}}, 0, 1, "."});
  const auto counts = [&] { return withoutCountsIfStopped(lab::shared(result))->counters; };
  EXPECT_TRUE(counts()) << "this fault does not stop the launch";
  result.faults.push_back({"out-of-bounds", {81, {}, {}}, 0, 1, "."});
  EXPECT_FALSE(counts());
  EXPECT_EQ(whyNotCounted(&result),
            "No counts of the whole grid of tiled: its launch was stopped at line 81. An access "
            "lies outside its array.");
  EXPECT_EQ(whereStopped(&result), "its launch was stopped at line 81");
  result.faults.back().at = {};
  EXPECT_EQ(whereStopped(&result), "its launch was stopped");
}

TEST(StoppedLaunch, AStepAfterTheFaultIsMarked) {
  auto result = std::make_shared<lab::RunResult>();
  device::Fault fault{"out-of-bounds", {81, {0, 0, 0}, {0, 0, 0}}, 0, 1, "."};
  fault.epoch = 2;
  result->faults = {fault};
  auto side = std::make_shared<TracedKernel>();
  side->result = result;
  side->replay = std::make_shared<const trace::Replay>(trace::toy::tiled(8, 4), trace::Cut{});
  TracedStep step;
  step.side = side;
  step.step.epoch = 2;
  EXPECT_EQ(afterFault(step), "");
  step.step.epoch = 3;
  EXPECT_EQ(afterFault(step),
            "This step comes after the fault at line 81: its values are meaningless.");
  result->faults.front().at.block = {1, 0, 0};
  EXPECT_EQ(afterFault(step), "") << "the fault is in a different block";
}

class StoppedLaunchTest : public SessionFixture {
 protected:
  /// From now on, launches of the tiled product stop at a fault.
  void settleWithFault() {
    for (int i = 0; i < 10; ++i) {
      session->poll(now += 0.1);
      for (const FakeClient::Asked& asked : std::exchange(log->runs, {})) {
        lab::RunResult result = toyResult(asked.experiment);
        if (result.kernel == "matmul_tiled")
          result.faults.push_back({"out-of-bounds", {17, {}, {}}, 0, 1, "P[5] of 5"});
        log->answers.push_back({asked.id, lab::shared(std::move(result))});
      }
      waitForScene();
    }
    kept = session->snapshot();
  }
};

TEST_F(StoppedLaunchTest, PartialCountsAreNeverShownAsThoseOfTheGrid) {
  open();
  settle();
  ASSERT_EQ(kept->history.size(), 1U);
  ASSERT_FALSE(kept->view<features::RooflineView>().points.empty());
  ASSERT_TRUE(kept->view<features::GainsView>().ratios.lanes.value());
  session->apply(command("tuning.set", "TILE_WIDTH", 2));
  session->endGesture();
  settleWithFault();
  ASSERT_TRUE(kept->main) << "its steps are shown";
  ASSERT_FALSE(kept->figuresStale);
  EXPECT_EQ(kept->history.size(), 1U);
  const auto& points = kept->view<features::RooflineView>().points;
  EXPECT_FALSE(points.empty());
  EXPECT_TRUE(std::ranges::all_of(points, [](const auto& at) { return at.companion; }));
  const features::TrafficView& traffic = kept->view<features::TrafficView>();
  EXPECT_FALSE(traffic.grid.rows.empty());
  for (const Ratio& row : traffic.grid.rows) EXPECT_FALSE(row.own) << row.name;
  EXPECT_TRUE(has(traffic.gridNote, "stopped at line 17"));
  EXPECT_FALSE(kept->view<features::GainsView>().ratios.lanes.value());
  EXPECT_TRUE(has(kept->view<features::GainsView>().note, "stopped at line 17"));
}

}  // namespace tilestep::model::stopped_launch_test
