// SPDX-License-Identifier: Apache-2.0
// No text is clipped or overlaps another, at any scale and size of the window, in any panel.
#include <imgui_internal.h>

#include <array>

#include "features/lessons/view.h"
#include "features/live/live.h"
#include "support/known_fonts.h"
#include "ui/shell/saving/save_dialog.h"
#include "ui/text_faults.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui::text_fits_test {

struct Size {
  float width, height;
};

constexpr std::array<Size, 3> kSizes{{{1280, 720}, {1920, 1080}, {3840, 2160}}};
constexpr std::array<float, 4> kTypeScales{0.75F, 1, 2, 3};

class TextFits : public NullWindow {
 protected:
  /// Checks the current view at every size and scale.
  void expectReadable(const char* what) {
    for (const Size& size : kSizes) {
      for (const float scale : kTypeScales) {
        useFonts(size.width, size.height, scale);
        draw(size.width, size.height);
        draw(size.width, size.height);
        const std::vector<std::string> wrong = tests::unreadableTexts();
        EXPECT_TRUE(wrong.empty())
            << what << " at " << size.width << " x " << size.height << ", " << 100 * scale
            << " %: " << wrong.size() << " places, first " << wrong.front();
      }
    }
  }
};

TEST_F(TextFits, InTheOpeningWindow) {
  connect();
  expectReadable("opening");
  session->apply(model::command("steps.move", model::Move::forward));
  expectReadable("second step");
}

TEST_F(TextFits, InEveryViewOfTheStep) {
  connect();
  ui.warpView = true;
  expectReadable("warp");
  ui.warpView = false;
  ui.threadView = true;
  session->apply(model::command("threads.choose", Dim3{1, 2, 0}));
  expectReadable("thread");
  ui.threadView = false;
  ui.ptxView = true;
  draw();
  log->answers.push_back(
      {log->next - 1, std::string(".version 8.0\n.target sm_75\n.address_size 64\n"
                                  ".visible .entry matmul_tiled()\n{\n\tret;\n}\n")});
  expectReadable("PTX");
}

TEST_F(TextFits, WithTunablesThatAreNotAllLegal) {
  connect();
  session->apply(model::command("choice.kernel", "matmul_tiled_free"));
  session->apply(model::command("tuning.set", "BLOCK_X", 64));
  session->apply(model::command("tuning.best"));
  expectReadable("tunables");
  session->apply(model::command("tuning.set", "BLOCK_Y", 1024));
  expectReadable("a tunable that is not legal");
}

TEST_F(TextFits, OnEveryStage) {
  log->gpu = true;
  connect();
  for (size_t i = 0; i < model::kStages; ++i) {
    ui.stage = static_cast<Stage>(i);
    expectReadable(nameOf(ui.stage));
  }
}

TEST_F(TextFits, WithPinnedRuns) {
  log->gpu = true;
  connect();
  for (const int width : {2, 4, 8}) {
    session->apply(model::command("tuning.set", "TILE_WIDTH", width));
    answer(8);
    session->apply(model::command("pins.pin"));
  }
  const auto pins = session->pins();
  ASSERT_TRUE(pins && pins->pins.size() == 3);
  session->apply(model::command("pins.rename", pins->pins[0].id,
                                "the textbook's kernel as the lecture of Monday left it"));
  for (const Stage stage : {Stage::runs, Stage::roofline}) {
    ui.stage = stage;
    expectReadable(nameOf(stage));
  }
}

TEST_F(TextFits, WhileLaunchesStream) {
  log->gpu = true;
  connect();
  ui.stage = Stage::live;
  const auto stream = [&](float ms) {
    for (int i = 0; i < 8; ++i) {
      draw();
      answer();
    }
    device::LiveBatch batch;
    for (size_t i = 0; i < 2000; ++i) {
      batch.atMs.push_back(ms * static_cast<float>(i));
      batch.ms.push_back(ms);
    }
    batch.every = 4;
    batch.launches = 8000;
    batch.dropped = 12;
    batch.clockMhz = 1980;
    log->samples[log->streams.back().id].push_back(std::move(batch));
    draw();
  };
  stream(2);
  session->apply(model::command("tuning.set", "TILE_WIDTH", 16));
  stream(1);
  session->apply(model::command("tuning.set", "TILE_WIDTH", 8));
  stream(3);
  ASSERT_EQ(session->snapshot()->view<features::LiveView>().runs.size(), 3U);
  ui.live.cursor.pinned = 1;
  expectReadable("live");
  log->answers.push_back({log->streams.back().id, workError("the worker ended: signal SIGKILL")});
  expectReadable("live mode that ended");
}

TEST_F(TextFits, InTheTableOfPhases) {
  connect();
  session->apply(model::command("phases.classic"));
  answer(4);
  expectReadable("phase table");
}

TEST_F(TextFits, InMenuHelpAndDialogue) {
  connect();
  ui.menuWished = true;
  expectReadable("menu");
  ImGui::ClosePopupsOverWindow(nullptr, false);
  ui.help = true;
  expectReadable("help");
  ui.help = false;
  toggleSaveDialog(ui, *session->snapshot());
  ui.save.path = "/home/someone/tilestep-traffic-1.csv";
  expectReadable("save dialogue");
}

TEST_F(TextFits, WhilePresentingEachPlot) {
  connect();
  togglePresentation(ui);
  for (size_t i = 0; i < model::kPlots; ++i) {
    ui.plot = nextPlot(ui.plot);
    expectReadable(nameOf(ui.plot));
  }
}

TEST_F(TextFits, WithMeasuredFigures) {
  log->gpu = true;
  connect();
  ui.wholeGrid = true;
  expectReadable("measured");
}

/// A scene's labels do not overlap in fonts of any width, and names are always shown.
TEST_F(TextFits, OnTheSceneInFontsOfAnyWidth) {
  connect();
  session->apply(model::command(
      "lessons.open", session->snapshot()->view<features::LessonsView>().lessons.front().file));
  answer();
  for (const float stretch : {0.75F, 1.0F, 1.3F, 1.8F, 2.6F})
    for (const Size& size : kSizes)
      for (const float scale : kTypeScales) {
        SCOPED_TRACE(testing::Message() << size.width << " x " << size.height << ", " << 100 * scale
                                        << " %, stretched " << stretch);
        fonts = support::addKnownFonts(scale, kLeastAtDesk * scale, stretch);
        draw(size.width, size.height);
        draw(size.width, size.height);
        for (const std::string& wrong : tests::unreadableTexts())
          EXPECT_FALSE(wrong.starts_with("##scene: overlap")) << wrong;
      }
}

TEST_F(TextFits, InTheLessons) {
  connect();
  const std::vector<features::LessonEntry> lessons =
      session->snapshot()->view<features::LessonsView>().lessons;
  session->apply(model::command("lessons.open", lessons.front().file));
  for (const size_t step : {size_t{0}, size_t{6}}) {
    session->apply(model::command("lessons.step", step));
    answer();
    expectReadable("question");
    session->apply(model::command("lessons.reveal"));
    expectReadable("answer");
  }
}

}  // namespace tilestep::ui::text_fits_test
