// SPDX-License-Identifier: Apache-2.0
// The timeline's stage without a window: keys, wheel and pointer, and texts that fit.
#include <chrono>
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
  /// Waits for the timeline, which is requested after everything else. The view of many blocks is
  /// made on another thread.
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
  [[nodiscard]] TimelineLook& look() { return ui.looks.of<TimelineLook>(); }
  [[nodiscard]] TimelineNow shown() { return timelineNow(*session->snapshot(), look()); }
  /// The centre of the picture.
  [[nodiscard]] ImVec2 middle() const {
    const gfx::Box box = ui.boxOf("timeline");
    return {box.x + 0.55F * box.width, box.y + 0.4F * box.height};
  }
};

TEST(TimelineEpochs, EpochsHaveTheNamesOfTheirPhases) {
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

TEST_F(TimelinePanel, WheelZoomsAroundThePointerAndAClickChooses) {
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

TEST_F(TimelinePanel, TextsFitInEveryView) {
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

}  // namespace tilestep::features::timeline_panel_test
