// SPDX-License-Identifier: Apache-2.0
// The slider goes through all tile widths, and all parts of the window that compare the two kernels
// show the same ratios.
#include <gtest/gtest.h>

#include "base/factor.h"
#include "features/first_minute/view.h"
#include "features/gains/view.h"
#include "features/roofline/roofline_view.h"
#include "features/speed_board/board.h"
#include "features/sweeps/view.h"
#include "features/traffic/view.h"
#include "lab/recording/recorded.h"
#include "lab/recording/recording.h"
#include "lab/recording/recording_file.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::model::slider_ratios_test {

constexpr int64_t kWidest = 32;
const std::string kRecording = "recorded:nvidia-h200";

lab::RunResult notRecorded(const lab::Experiment& experiment) {
  lab::RunResult result = toyResult(experiment);
  result.measurement.reset();
  result.nearest.emplace();
  return result;
}

class SliderRatios : public SessionFixture {
 protected:
  void move(int64_t width) {
    session->apply(command("tuning.set", std::string("TILE_WIDTH"), width));
    settle();
  }

  /// Opens the window with the shipped recording. Steps are toys, but times are those of the
  /// recording.
  void openRecorded(bool firstMinute = false) {
    const std::string file = support::sourceRoot() + "/assets/recordings/nvidia-h200.tsrec";
    auto read = lab::readRecording(file);
    ASSERT_TRUE(read) << toString(read.error());
    recording_ = std::make_unique<lab::DeviceRecording>(std::move(*read));
    log->more = recording_->device;
    log->more->id = kRecording;
    log->more->measures = true;
    log->answer = [this](const lab::Experiment& experiment) {
      if (experiment.device != kRecording) return toyResult(experiment);
      auto result = lab::recordedResult(*recording_, experiment.source, experiment.sizes,
                                        experiment.tunables);
      if (!result) return notRecorded(experiment);
      result->device.id = kRecording;
      return *result;
    };
    SessionOptions options;
    options.device = kRecording;
    options.firstMinute = firstMinute;
    open(options);
    session->apply(
        command("sweeps.look", SweepChoice{SweepKind::tunable, SweepQuantity::speed, 0}));
    settle();
    for (int i = 0; i < 600 && snapshot().busy.questions; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      settle();
    }
    ASSERT_FALSE(snapshot().busy.questions) << "the recording has not been read";
  }

  /// Opens the window without a GPU. Counts follow a rule that gives each launch different values.
  void openCounted() {
    log->answer = [](const lab::Experiment& experiment) {
      lab::RunResult result = toyResult(experiment);
      const Dim3 block = result.plan.launches.front().block;
      const bool tiled = result.plan.phases > 0;
      trace::GlobalCounts& loads = result.counters->total.globalLoad;
      loads.bytes = uint64_t{32 * 3 * 5 * 7} << (tiled ? 2 : 12);
      loads.sectors = loads.bytes / 8 + block.x;
      return result;
    };
    open();
    settle();
  }

  /// The ratio of the sweep's points at this width; empty if it does not have points of both
  /// kernels.
  std::string sweepText(int64_t width) {
    const auto& picture = snapshot().view<features::SweepsView>().picture;
    if (!picture) return {};
    std::optional<double> main, other;
    for (const features::SweepCell& cell : picture->cells) {
      const features::SweepPoint& point = picture->plan->points[cell.point];
      if (cell.state != features::SweepCell::State::done) continue;
      if (picture->plan->x.values[point.column] != width) continue;
      (point.series == 0 ? main : other) = cell.value.value;
    }
    return main && other ? factorText(*main, *other, kSpeedWords) : "";
  }

  /// The ratio in a row of the whole grid's traffic; fails if there is no such row.
  std::string trafficText(const std::string& name) {
    for (const Ratio& row : snapshot().view<features::TrafficView>().grid.rows)
      if (row.name == name) return row.text();
    ADD_FAILURE() << "there is no row " << name;
    return {};
  }

  /// The ratio of the roofline's points with warm caches.
  std::string rooflineText() {
    std::optional<double> main, other;
    for (const features::RoofPoint& at : snapshot().view<features::RooflineView>().points)
      if (at.point.level == metrics::Level::lanes && !at.bound)
        (at.companion ? other : main) = at.flopPerSecond;
    return main && other ? factorText(*main, *other, kSpeedWords) : "";
  }

  std::unique_ptr<lab::DeviceRecording> recording_;
};

TEST_F(SliderRatios, AllPartsShowTheSameRatioAtEveryRecordedWidth) {
  ASSERT_NO_FATAL_FAILURE(openRecorded());
  for (int64_t width = 1; width <= kWidest; ++width) {
    SCOPED_TRACE(width);
    move(width);
    const auto& board = snapshot().view<features::SpeedBoardView>();
    const std::string side = std::to_string(width);
    EXPECT_EQ(board.other, "naive in blocks of " + side + " × " + side);
    EXPECT_EQ(board.missing, "");
    ASSERT_NE(board.comparison, "");
    EXPECT_EQ(sweepText(width), board.comparison);
    EXPECT_EQ(rooflineText(), board.comparison);
    const LaunchRatios& gains = snapshot().view<features::GainsView>().ratios;
    EXPECT_EQ(gains.time.text(), board.comparison);
    EXPECT_EQ(gains.against, board.other);
    ASSERT_TRUE(board.trend.other && board.trend.now);
    EXPECT_EQ(factorText(board.trend.now->flops, board.trend.other->flops, kSpeedWords),
              board.comparison);
    const auto drawn =
        std::ranges::find(board.trend.otherPoints, width, &features::SpeedTrend::Point::value);
    ASSERT_NE(drawn, board.trend.otherPoints.end());
    EXPECT_DOUBLE_EQ(drawn->flops, board.trend.other->flops);
  }
}

TEST_F(SliderRatios, TheFirstMinuteAgreesWithTheBoard) {
  ASSERT_NO_FATAL_FAILURE(openRecorded(true));
  const auto press = [this](const Command& what) {
    session->apply(what);
    settle();
  };
  const auto& view = [this]() -> const features::FirstMinuteView& {
    return snapshot().view<features::FirstMinuteView>();
  };
  while (view().shown && view().part != features::MinutePart::guess)
    press(command("first_minute.next"));
  press(command("first_minute.answer", size_t{0}));
  const std::string wide = snapshot().view<features::SpeedBoardView>().comparison;
  EXPECT_TRUE(has(view().text, "**" + wide + "**"));
  while (view().shown && view().part != features::MinutePart::why)
    press(command("first_minute.next"));
  const std::string narrow = snapshot().view<features::SpeedBoardView>().comparison;
  EXPECT_NE(narrow, wide);
  EXPECT_TRUE(has(view().text, narrow + " than naive in blocks of 4 × 4"));
  press(command("first_minute.next"));
  EXPECT_EQ(view().part, features::MinutePart::end);
  EXPECT_EQ(snapshot().tunables.at("TILE_WIDTH"), 16) << "the width at which the tour ends";
  EXPECT_EQ(snapshot().view<features::SpeedBoardView>().comparison, wide);
}

TEST_F(SliderRatios, AnUnrecordedLaunchIsNamedWithoutARatio) {
  ASSERT_NO_FATAL_FAILURE(openRecorded());
  std::erase_if(recording_->points, [&](const lab::RecordedPoint& point) {
    return recording_->kernels[point.kernel].name == "matmul_naive" &&
           point.tunables.at("BLOCK_X") == 9;
  });
  move(9);
  const auto& board = snapshot().view<features::SpeedBoardView>();
  EXPECT_NE(board.speed, "");
  EXPECT_EQ(board.otherSpeed, "");
  EXPECT_EQ(board.comparison, "");
  EXPECT_EQ(board.missing, "No ratio: naive in blocks of 9 × 9 is not recorded.");
  EXPECT_FALSE(snapshot().view<features::GainsView>().ratios.time.value());
  EXPECT_TRUE(has(snapshot().view<features::GainsView>().note, board.missing));
}

TEST_F(SliderRatios, BlocksChosenByTheUserAreComparedAndNamed) {
  ASSERT_NO_FATAL_FAILURE(openRecorded());
  move(16);
  session->apply(command("comparison.set", std::string("BLOCK_X"), int64_t{32}));
  session->apply(command("comparison.set", std::string("BLOCK_Y"), int64_t{8}));
  settle();
  const auto& board = snapshot().view<features::SpeedBoardView>();
  EXPECT_EQ(board.other, "naive in blocks of 32 × 8");
  EXPECT_NE(board.comparison, "");
  EXPECT_EQ(sweepText(16), board.comparison);
}

/// In the scene, a companion with free tiles computes the same elements in differently shaped
/// blocks.
TEST_F(SliderRatios, CountsInUnequalBlocksHaveNoRatioButAReason) {
  openCounted();
  session->apply(command("choice.kernel", "matmul_tiled_free"));
  for (const auto& [name, value] :
       {std::pair{"TILE_M", 32}, {"TILE_N", 32}, {"TILE_K", 16}, {"BLOCK_X", 16}, {"BLOCK_Y", 16}})
    session->apply(command("tuning.set", name, value));
  settle();
  EXPECT_EQ(trafficText("Bytes asked"), "");
  EXPECT_TRUE(has(snapshot().view<features::TrafficView>().gridNote, "do not have equal blocks"))
      << kept->view<features::TrafficView>().gridNote;
  const LaunchRatios& gains = snapshot().view<features::GainsView>().ratios;
  EXPECT_EQ(gains.against, "naive in blocks of 16 × 16") << "it was run for this comparison";
  EXPECT_TRUE(gains.lanes.value());
}

/// Without a time of the naive kernel, the text gives the reason instead of a ratio.
TEST_F(SliderRatios, TheFirstMinuteNamesMissingTimes) {
  ASSERT_NO_FATAL_FAILURE(openRecorded(true));
  std::erase_if(recording_->points, [&](const lab::RecordedPoint& point) {
    return recording_->kernels[point.kernel].name == "matmul_naive" &&
           point.tunables.at("BLOCK_X") == 4;
  });
  const auto part = [this] { return snapshot().view<features::FirstMinuteView>().part; };
  for (int i = 0; i < 20 && part() != features::MinutePart::narrow; ++i) {
    session->apply(command("first_minute.next"));
    settle();
  }
  ASSERT_EQ(part(), features::MinutePart::narrow);
  move(4);
  session->endGesture();
  settle();
  EXPECT_EQ(part(), features::MinutePart::why);
  EXPECT_EQ(snapshot().view<features::FirstMinuteView>().text,
            "No ratio: naive in blocks of 4 × 4 is not recorded.");
}

}  // namespace tilestep::model::slider_ratios_test
