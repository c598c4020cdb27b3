// SPDX-License-Identifier: Apache-2.0
// The timeline's stage without a window: what keys, wheel and pointer do, and that words fit.
#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>

#include "features/timeline/panel_picture.h"
#include "features/timeline/timeline_view.h"
#include "ui/shell/keys.h"
#include "ui/text_faults.h"
#include "unit/features/timeline/sample_timeline.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::timeline_panel_test {

class TimelinePanel : public NullWindow {
 protected:
  void open() {
    log->gpu = true;
    ui.stage = Stage::timeline;
    connect();
    untilShown();
  }
  /// The timeline is asked for once all else is there, and one of many blocks is made ready beside
  /// the frames.
  void untilShown() {
    const auto waits = [&] {
      const TimelineStage& stage = session->snapshot()->view<TimelineStage>();
      return !stage.view || stage.stale || stage.coming;
    };
    for (int i = 0; i < 2000 && (i < 4 || waits()); ++i) {
      session->poll(now += 0.5);
      log->answerRuns();
      if (i >= 4) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    draw();
  }
  void press(gfx::KeyEvent event) {
    handleKeys({event}, *session, ui, false, false);
    draw();
  }
  [[nodiscard]] TimelineNow shown() const { return timelineNow(*session->snapshot(), ui.timeline); }
  /// A place in the picture's middle.
  [[nodiscard]] ImVec2 middle() const {
    const gfx::Box box = ui.boxOf("timeline");
    return {box.x + 0.55F * box.width, box.y + 0.4F * box.height};
  }
};

TEST(TimelineEpochs, HaveTheNamesOfTheirPhases) {
  using trace::StepKind;
  auto view = std::make_shared<TimelineView>(*sampleTimeline(1, 1, 2, 6));
  view->timeline.phases = 2;
  TimelineStage stage;
  stage.view = view;
  stage.kinds = {StepKind::load, StepKind::compute};
  const auto names = [&] {
    std::string all;
    for (uint32_t e = 0; e < 6; ++e) all += epochName(stage, e) + " ";
    return all;
  };
  EXPECT_EQ(names(), "load compute load compute write-back write-back ");
  view->timeline.epochsBefore = 1;
  stage.kindsBefore = {StepKind::whole};
  EXPECT_EQ(names(), "epoch 0 load compute load compute write-back ");
}

TEST_F(TimelinePanel, DrawsTheMeasuredLaunch) {
  open();
  const auto snapshot = session->snapshot();
  ASSERT_TRUE(snapshot->view<TimelineStage>().view);
  EXPECT_EQ(ui.timeline.of, snapshot->view<TimelineStage>().view);
  EXPECT_EQ(shown().range, wholeRange(*snapshot->view<TimelineStage>().view));
  const int vertices = draw();
  ui.stage = Stage::runs;
  EXPECT_GT(vertices, draw() + 500);
}

TEST_F(TimelinePanel, KeysZoomMoveAndFit) {
  open();
  ASSERT_TRUE(session->snapshot()->view<TimelineStage>().view);
  const TimelineRange all = shown().range;
  press({.key = gfx::keyOf('='), .control = true});
  const TimelineRange closer = shown().range;
  EXPECT_LT(closer.ns(), all.ns());
  press({.key = gfx::Key::right, .alt = true});
  EXPECT_GT(shown().range.fromNs, closer.fromNs);
  EXPECT_DOUBLE_EQ(shown().range.ns(), closer.ns());
  press({.text = U'f'});
  EXPECT_EQ(shown().range, all);
  press({.key = gfx::Key::right, .control = true});
  ASSERT_TRUE(shown().chosen);
  press({.text = U'z'});
  EXPECT_EQ(shown().range, rangeOfBlock(shown().view, *shown().chosen));
}

TEST_F(TimelinePanel, EnterTakesTheSceneToTheChosenBlock) {
  open();
  ASSERT_TRUE(session->snapshot()->view<TimelineStage>().view);
  ASSERT_FALSE(session->snapshot()->view<TimelineStage>().sameGrid);
  press({.key = gfx::Key::right, .control = true});
  const Dim3 block = shown().view.blockAt(*shown().chosen);
  EXPECT_EQ(block, (Dim3{1, 0, 0}));
  press({.key = gfx::Key::enter});
  EXPECT_EQ(session->snapshot()->choice.block, block);
  EXPECT_EQ(session->snapshot()->sceneSizes, session->snapshot()->measureSizes);
}

TEST_F(TimelinePanel, TheWheelZoomsAboutThePointerAndAClickChooses) {
  open();
  ASSERT_TRUE(session->snapshot()->view<TimelineStage>().view);
  const TimelineRange all = shown().range;
  ImGuiIO& io = ImGui::GetIO();
  const ImVec2 at = middle();
  const auto frame = [&](bool down) {
    io.MousePos = at;
    io.MouseDown[0] = down;
    draw();
  };
  frame(false);
  frame(true);
  frame(false);
  EXPECT_TRUE(shown().chosen);
  io.MouseWheel = 1;
  draw();
  EXPECT_LT(shown().range.ns(), all.ns());
}

TEST_F(TimelinePanel, WordsFitWhereverOneLooks) {
  open();
  ASSERT_TRUE(session->snapshot()->view<TimelineStage>().view);
  const auto expectReadable = [&](const char* what) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
      for (const float scale : {0.75F, 1.0F, 2.0F, 3.0F}) {
        useFonts(size.x, size.y, scale);
        draw(size.x, size.y);
        draw(size.x, size.y);
        const std::vector<std::string> wrong = tests::unreadableTexts();
        EXPECT_TRUE(wrong.empty()) << what << " at " << size.x << ", " << 100 * scale
                                   << " %: " << (wrong.empty() ? "" : wrong.front());
      }
    }
  };
  expectReadable("whole");
  press({.key = gfx::Key::right, .control = true});
  expectReadable("chosen");
  press({.text = U'z'});
  expectReadable("block");
  session->apply(model::command("choice.measure_size", "m", 32));
  untilShown();
  press({.key = gfx::Key::right, .control = true});
  press({.text = U'z'});
  expectReadable("epochs");
}

TEST_F(TimelinePanel, WithoutClocksItSaysSo) {
  log->recording = true;
  ui.stage = Stage::timeline;
  connect();
  draw();
  EXPECT_FALSE(session->snapshot()->view<TimelineStage>().view);
  EXPECT_EQ(session->snapshot()->view<TimelineStage>().recording, "recorded:test-gpu");
  EXPECT_TRUE(tests::unreadableTexts().empty());
  press({.text = U'z'});  // Nothing to zoom.
  press({.key = gfx::Key::right, .alt = true});
}

}  // namespace tilestep::features::timeline_panel_test
