// SPDX-License-Identifier: Apache-2.0
// The stage of sweeps: keys, clicks, and texts that fit.

#include "features/sweeps/ladder_view.h"
#include "features/sweeps/view.h"
#include "ui/shell/keys.h"
#include "ui/text_faults.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::sweeps_panel_test {

using gfx::Key;
using gfx::KeyEvent;

class SweepStage : public NullWindow {
 protected:
  void begin() {
    connect();
    ui.stage = Stage::sweeps;
    show();
  }
  void show() {
    syncLooks(ui, *session, false);
    draw();
    session->poll(now += 0.1);
    draw();
  }
  void press(Key key, bool alt = false) {
    KeyEvent event;
    event.key = key;
    event.alt = alt;
    handleKeys({event}, *session, ui, false, false);
    show();
  }
  void type(char32_t text) {
    KeyEvent event;
    event.text = text;
    handleKeys({event}, *session, ui, false, false);
    show();
  }
  void answer(int times) {
    for (int i = 0; i < 2 * times; ++i) {
      session->poll(now += 0.1);
      log->answerRuns();
    }
    session->poll(now += 0.1);
  }
  const SweepView& view() {
    kept = session->snapshot();
    return *kept->view<SweepsView>().picture;
  }
  std::shared_ptr<const model::Snapshot> kept;
};

TEST_F(SweepStage, ItsKeysHaveOtherMeaningsOnOtherStages) {
  connect();
  press(Key::right, true);
  EXPECT_FALSE(ui.sweepAt);
  type(U'c');  // Counts at the measured size.
  EXPECT_FALSE(session->snapshot()->view<SweepsView>().progress.running);
  EXPECT_TRUE(session->snapshot()->busy.count);
}

TEST_F(SweepStage, AClickOnACellChoosesIt) {
  begin();
  type(U'u');
  ASSERT_FALSE(view().cells.empty());
  // All cells in the lower left quarter of the map can run.
  const gfx::Box box = ui.boxOf("sweep");
  ASSERT_GT(box.width, 0);
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = {box.x + 0.3F * box.width, box.y + 0.7F * box.height};
  draw();
  io.MouseDown[0] = true;
  draw();
  io.MouseDown[0] = false;
  show();
  EXPECT_EQ(ui.stage, Stage::scene);
  EXPECT_EQ(session->snapshot()->choice.kernel, "matmul_naive");
}

TEST_F(SweepStage, AButtonChoosesTheBestOnceNoPointWaits) {
  log->gpu = true;
  begin();
  type(U'c');
  EXPECT_FALSE(boxOfText("choose the best"));
  for (int i = 0; i < 200; ++i) {
    session->poll(now += 0.1);
    for (const model::FakeClient::Asked& asked : std::exchange(log->runs, {})) {
      lab::RunResult result = model::toyResult(asked.experiment);
      const auto width = result.plan.tunables.find("TILE_WIDTH");
      if (result.measurement && width != result.plan.tunables.end())
        result.measurement->medianMs = result.measurement->p10Ms = result.measurement->p90Ms =
            width->second == 13 ? 1 : 2;
      log->answers.push_back({asked.id, lab::shared(std::move(result))});
    }
  }
  show();
  ASSERT_EQ(view().waiting, 0U);
  clickText("choose the best");
  EXPECT_EQ(session->snapshot()->tunables.at("TILE_WIDTH"), 13);
}

TEST_F(SweepStage, ARungUnfoldsAndEnterChoosesIt) {
  log->gpu = true;
  begin();
  ui.sweep.kind = SweepKind::ladder;
  show();
  answer(40);  // Counts come by themselves.
  ASSERT_TRUE(session->snapshot()->view<SweepsView>().ladder);
  EXPECT_EQ(session->snapshot()->view<SweepsView>().ladder->progress, "");
  press(Key::down, true);
  ASSERT_EQ(ui.sweepAt, 0U);
  press(Key::down, true);
  press(Key::down, true);
  press(Key::up, true);
  ASSERT_EQ(ui.sweepAt, 1U);
  show();
  press(Key::enter);
  EXPECT_EQ(ui.stage, Stage::scene);
  EXPECT_EQ(session->snapshot()->choice.kernel, "rung02_coalesced");
  EXPECT_EQ(session->snapshot()->tunables.at("BLOCK_X"), 32);
  session->undo();
  show();
  EXPECT_EQ(ui.stage, Stage::sweeps);
  EXPECT_EQ(session->snapshot()->choice.kernel, "matmul_tiled");
}

TEST_F(SweepStage, TheUnfoldedLaddersTextFits) {
  log->gpu = true;
  begin();
  ui.sweep.kind = SweepKind::ladder;
  show();
  answer(40);
  session->apply(model::command("sweeps.run", false));
  answer(20);
  for (const size_t row : {2U, 15U})
    for (const float scale : {0.75F, 1.0F, 2.0F, 3.0F})
      for (const float width : {1280.0F, 1920.0F}) {
        ui.sweepAt = row;
        const float height = width * 9 / 16;
        useFonts(width, height, scale);
        draw(width, height);
        draw(width, height);
        const std::vector<std::string> wrong = tests::unreadableTexts();
        EXPECT_TRUE(wrong.empty()) << "row " << row << " at " << width << ", " << 100 * scale
                                   << " %: first " << wrong.front();
      }
}

TEST_F(SweepStage, ItsTextFitsInEveryPicture) {
  struct Size {
    float width, height;
  };
  begin();
  for (const bool run : {false, true}) {
    for (size_t kind = 0; kind < model::kSweepKinds; ++kind) {
      ui.sweep = {static_cast<SweepKind>(kind), SweepQuantity::automatic, 0};
      show();
      if (run) {
        session->apply(model::command("sweeps.run", false));
        answer(140);
      }
      for (const Size size : {Size{1280, 720}, Size{1920, 1080}})
        for (const float scale : {0.75F, 1.0F, 2.0F, 3.0F}) {
          useFonts(size.width, size.height, scale);
          draw(size.width, size.height);
          draw(size.width, size.height);
          const std::vector<std::string> wrong = tests::unreadableTexts();
          EXPECT_TRUE(wrong.empty())
              << "picture " << kind << (run ? " with" : " without") << " points at " << size.width
              << " x " << size.height << ", " << 100 * scale << " %: " << wrong.size()
              << " places, first " << wrong.front();
        }
    }
  }
}

}  // namespace tilestep::features::sweeps_panel_test
