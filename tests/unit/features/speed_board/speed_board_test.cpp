// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/factor.h"
#include "base/figure.h"
#include "features/roofline/roofline_view.h"
#include "features/speed_board/board.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::speed_board_test {

class SpeedBoard : public SessionFixture {
 protected:
  const Ratio* figure(const std::string& name) {
    figures_ = speedFiguresOf(snapshot());
    const auto at = std::ranges::find(figures_, name, &Ratio::name);
    return at == figures_.end() ? nullptr : &*at;
  }

 private:
  std::vector<Ratio> figures_;
};

TEST_F(SpeedBoard, IsEmptyWithoutTimes) {
  open();
  settle();
  EXPECT_TRUE(speedFiguresOf(snapshot()).empty());
}

TEST_F(SpeedBoard, ShowsTimeAndRatesOfTheMeasuredLaunch) {
  log->gpu = true;
  open();
  settle();
  ASSERT_TRUE(snapshot().figuresMain && snapshot().figuresMain->measurement);
  const lab::RunResult result = *snapshot().figuresMain;
  const double seconds = result.measurement->medianMs / 1e3;
  ASSERT_NE(figure("time"), nullptr);
  EXPECT_DOUBLE_EQ(figure("time")->own.value(), seconds);
  ASSERT_NE(figure("work"), nullptr);
  EXPECT_DOUBLE_EQ(figure("work")->own.value(), result.plan.operations / seconds);
  ASSERT_NE(figure("DRAM, if each buffer moves once"), nullptr) << "no hardware counters were read";
  EXPECT_DOUBLE_EQ(figure("DRAM, if each buffer moves once")->own.value(),
                   static_cast<double>(rooflineWorkOf(result, false).compulsoryBytes) / seconds);
  EXPECT_TRUE(has(figure("time")->hover, result.device.name));
}

TEST(DramRate, IsNamedByTheStateOfTheCaches) {
  metrics::RooflineWork work;
  work.compulsoryBytes = 1000;
  EXPECT_FALSE(dramRateOf(work)) << "nothing was timed";
  const auto expect = [&](const std::string& name, double bytesPerSecond) {
    const auto rate = dramRateOf(work);
    ASSERT_TRUE(rate);
    EXPECT_EQ(rate->name, name);
    EXPECT_DOUBLE_EQ(rate->bytesPerSecond(), bytesPerSecond);
  };
  work.seconds = 2;
  expect("DRAM, if each buffer moves once", 500);
  work.dramBytes = 3000;
  expect("DRAM, caches warm", 1500);
  work.hardwareCold = true;
  expect("DRAM, at most", 1500);
  work.coldSeconds = 4;
  expect("DRAM, caches cold", 750);
  work.dramBytes.reset();
  expect("DRAM, caches cold, at least", 250);
}

TEST_F(SpeedBoard, TheShareEqualsTheRooflines) {
  log->gpu = true;
  open();
  settle();
  const RooflineView& roofline = snapshot().view<RooflineView>();
  ASSERT_TRUE(roofline.nearest);
  const Ratio* share = figure("of what " + metrics::toText(*roofline.nearest) + " allows");
  ASSERT_NE(share, nullptr);
  EXPECT_TRUE(has(roofline.verdict, share->ownText()));
}

TEST_F(SpeedBoard, FiguresOfAnEarlierChoiceAreNotShown) {
  log->gpu = true;
  open();
  settle();
  session->apply(command("choice.measure_size", "m", 512));
  session->poll(now += 0.1);
  EXPECT_TRUE(snapshot().figuresStale);
  EXPECT_TRUE(speedFiguresOf(snapshot()).empty());
}

TEST_F(SpeedBoard, UndoingAnUnmeasuredChoiceKeepsTheFigures) {
  log->gpu = true;
  open();
  settle();
  const auto before = snapshot().figuresMain, other = snapshot().figuresCompanion;
  ASSERT_TRUE(before && other);
  session->apply(command("tuning.set", "TILE_WIDTH", 8));
  session->endGesture();
  session->undo();
  settle();
  EXPECT_FALSE(snapshot().figuresStale);
  EXPECT_EQ(snapshot().figuresMain, before);
  session->apply(command("comparison.set", "BLOCK_X", 8));
  session->endGesture();
  session->undo();
  settle();
  EXPECT_EQ(snapshot().figuresCompanion, other);
}

TEST_F(SpeedBoard, ComparesTheTwoKernels) {
  log->gpu = true;
  open();
  settle();
  const SpeedBoardView& board = snapshot().view<SpeedBoardView>();
  const lab::RunResult &main = *kept->figuresMain, &other = *kept->figuresCompanion;
  EXPECT_EQ(board.kernel, "tiled");
  EXPECT_TRUE(board.other.starts_with("naive in blocks of")) << board.other;
  EXPECT_EQ(board.speed,
            toText(main.plan.operations / main.measurement->medianMs * 1e3, Unit::flopPerSecond));
  EXPECT_EQ(board.comparison,
            factorText(main.measurement->medianMs, other.measurement->medianMs, kTimeWords));
  EXPECT_EQ(board.otherSpeed,
            toText(other.plan.operations / other.measurement->medianMs * 1e3, Unit::flopPerSecond));
}

TEST_F(SpeedBoard, AFormerLaunchIsNotComparedWithANewOne) {
  log->gpu = true;
  open();
  settle();
  session->apply(command("tuning.set", "TILE_WIDTH", 8));
  for (int i = 0; i < 20; ++i) {
    session->poll(now += 0.1);
    if (const lab::RunResult* other = snapshot().figuresCompanion.get();
        other != nullptr && !snapshot().figuresStale) {
      EXPECT_EQ(other->plan.launches.front().block.x,
                snapshot().figuresMain->plan.launches.front().block.x);
    }
    // One answer at a time.
    if (log->runs.empty()) continue;
    const FakeClient::Asked asked = log->runs.front();
    log->runs.erase(log->runs.begin());
    log->answers.push_back({asked.id, lab::shared(toyResult(asked.experiment))});
  }
  EXPECT_EQ(snapshot().view<SpeedBoardView>().other, "naive in blocks of 8 × 8");
}

TEST_F(SpeedBoard, TheTrendGrowsWithEachMeasuredValue) {
  log->gpu = true;
  open();
  settle();
  EXPECT_TRUE(snapshot().view<SpeedBoardView>().trend.points.empty());
  for (const int64_t width : {8, 2}) {
    session->apply(command("tuning.set", "TILE_WIDTH", width));
    settle();
  }
  const SpeedTrend& trend = snapshot().view<SpeedBoardView>().trend;
  EXPECT_EQ(trend.tunable, "TILE_WIDTH");
  ASSERT_EQ(trend.points.size(), 3U);
  EXPECT_EQ(trend.points[0].value, 2);
  EXPECT_EQ(trend.points[2].value, 8);
  ASSERT_TRUE(trend.now);
  EXPECT_EQ(trend.now->value, 2);
  EXPECT_DOUBLE_EQ(trend.now->flops, trend.points[0].flops);
  EXPECT_EQ(trend.otherName, "naive");
  EXPECT_TRUE(trend.note.starts_with("From 13 on, each odd width is slower")) << trend.note;
}

TEST_F(SpeedBoard, AKernelComparedWithItselfIsNamedByItsLaunch) {
  log->gpu = true;
  open();
  session->apply(command("comparison.choose", "matmul_tiled"));
  session->apply(command("comparison.set", "TILE_WIDTH", 2));
  settle();
  const std::string& name = snapshot().view<SpeedBoardView>().trend.otherName;
  EXPECT_NE(name, "tiled");
  EXPECT_TRUE(name.starts_with("tiled")) << name;
}

TEST_F(SpeedBoard, TheTrendIncludesThePointsOfASweep) {
  log->gpu = true;
  open();
  settle();
  session->apply(command("sweeps.look", SweepChoice{SweepKind::tunable, SweepQuantity::speed, 0}));
  session->apply(command("sweeps.run", false));
  for (int i = 0; i < 80; ++i) settle();
  const SpeedTrend& trend = snapshot().view<SpeedBoardView>().trend;
  EXPECT_EQ(trend.tunable, "TILE_WIDTH");
  EXPECT_EQ(trend.points.size(), 32U);
}

}  // namespace tilestep::features::speed_board_test
