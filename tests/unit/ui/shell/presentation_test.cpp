// SPDX-License-Identifier: Apache-2.0
// The contents of the presentation, and their positions.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "features/speed_board/board.h"
#include "ui/shell/appearances.h"
#include "ui/shell/keys.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui::presentation_test {

class Presentation : public NullWindow {
 protected:
  static constexpr float kWidth = 1920, kHeight = 1080;

  void present() {
    togglePresentation(ui);
    useFonts(kWidth, kHeight, 1.5F);
  }
  /// Waits for the figures, and for the scene, which is made on another thread.
  void settle() {
    const auto isThere = [&] {
      const model::Snapshot& shown = *session->snapshot();
      return !shown.busy.scene && !shown.sceneStale && !shown.figuresStale;
    };
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    do {
      session->poll(now += 0.1);
      log->answerRuns();
      session->poll(now += 0.1);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (!isThere() && std::chrono::steady_clock::now() < end);
    ASSERT_TRUE(isThere());
  }
  void set(const std::string& tunable, int64_t value) {
    session->apply(model::command("tuning.set", tunable, value));
    session->endGesture();
  }

  /// The window of the last frame whose name contains `part`; null if none.
  static const ImGuiWindow* windowOf(std::string_view part) {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive && std::string_view(window->Name).find(part) != std::string_view::npos)
        return window;
    return nullptr;
  }
  /// The position of the name above the slider. It is the lowest text with this name, because axes
  /// have it, too.
  [[nodiscard]] std::optional<gfx::Box> sliderOf(const std::string& tunable) const {
    std::optional<gfx::Box> lowest;
    for (const gfx::TextShape& text : drawnTexts())
      if (text.text == tunable && (!lowest || text.box.y > lowest->y)) lowest = text.box;
    return lowest;
  }
  /// Draws every plot and expects this tunable's slider below it, always at the same position.
  void expectSliderBelowEveryPlot(const std::string& tunable) {
    std::optional<gfx::Box> place;
    for (size_t i = 0; i < model::kPlots; ++i) {
      ui.plot = nextPlot(ui.plot);
      draw(kWidth, kHeight);
      const std::optional<gfx::Box> slider = sliderOf(tunable);
      ASSERT_TRUE(slider) << nameOf(ui.plot);
      const ImGuiWindow* panel = windowOf("##measures");
      ASSERT_NE(panel, nullptr);
      EXPECT_EQ(panel->ScrollMax.y, 0) << nameOf(ui.plot);
      const ImGuiWindow* plot = windowOf("##measures/plot");
      EXPECT_LE(plot == nullptr ? 0 : plot->Pos.y + plot->Size.y, slider->y) << nameOf(ui.plot);
      if (place) {
        EXPECT_EQ(slider->x, place->x) << nameOf(ui.plot);
        EXPECT_EQ(slider->y, place->y) << nameOf(ui.plot);
      }
      place = slider;
    }
  }
};

TEST_F(Presentation, NamesTheKernelOfTheRunningLines) {
  connect();
  present();
  draw(kWidth, kHeight);
  const std::vector<gfx::TextShape> texts = drawnTexts();
  const auto line = std::ranges::find_if(
      texts, [](const gfx::TextShape& text) { return text.text.starts_with("10  "); });
  ASSERT_NE(line, texts.end());
  EXPECT_TRUE(std::ranges::any_of(texts, [&](const gfx::TextShape& text) {
    return text.text == "tiled" && text.box.y == line->box.y;
  }));
}

TEST_F(Presentation, HasItsSliderAtOnePositionBelowEveryPlot) {
  connect();
  present();
  draw(kWidth, kHeight);
  EXPECT_NE(windowOf("##measures/plot"), nullptr);
  expectSliderBelowEveryPlot("TILE_WIDTH");
}

TEST_F(Presentation, HasTheButtonsOfNamedValuesBelowEveryPlotWithoutATitle) {
  connect();
  session->apply(model::command("choice.kernel", "transpose"));
  settle();
  present();
  expectSliderBelowEveryPlot("VARIANT");
}

TEST_F(Presentation, ItsSliderMovesTheTunableOfTheSpeedPlot) {
  log->gpu = true;
  connect();
  session->apply(model::command("choice.kernel", "matmul_naive"));
  settle();
  set("BLOCK_Y", 8);
  settle();
  // Only one value of BLOCK_X, which is moved last, has a time.
  set("BLOCK_X", 8);
  session->undo();
  settle();
  ASSERT_EQ(session->snapshot()->view<features::SpeedBoardView>().trend.tunable, "BLOCK_Y");
  ASSERT_EQ(session->snapshot()->lastTunable, "BLOCK_X");
  present();
  expectSliderBelowEveryPlot("BLOCK_Y");
}

TEST_F(Presentation, ANoticeOverlapsNothing) {
  connect();
  present();
  draw(kWidth, kHeight);
  const float codeBefore = windowOf("##code")->Size.y;
  std::string text = "This is a notice";
  while (text.size() < 300) text += " with many words";
  session->say({model::Notice::Kind::warning, "picture", text + ".", {}, {}});
  draw(kWidth, kHeight);
  const ImGuiWindow* toast = windowOf("##toast");
  ASSERT_NE(toast, nullptr);
  const gfx::Box scene = ui.boxOf("scene");
  ASSERT_GT(scene.width, 0);
  ASSERT_GT(scene.height, 0);
  EXPECT_GE(toast->Pos.y, scene.y + scene.height);
  const ImGuiWindow* code = windowOf("##code");
  ASSERT_NE(code, nullptr);
  EXPECT_LE(toast->Pos.y + toast->Size.y, code->Pos.y);
  EXPECT_EQ(code->Size.y, codeBefore);
  now += 10;
  draw(kWidth, kHeight);
  EXPECT_EQ(windowOf("##toast"), nullptr);
  EXPECT_GT(ui.boxOf("scene").height, scene.height) << "the scene has its full height again";
}

TEST_F(Presentation, ARemovedLineStaysAmongTheRunningLinesAtEveryStep) {
  connect();
  session->apply(model::command("barriers.remove", 1));
  settle();
  const uint32_t removed = session->snapshot()->main->side->removedLine;
  ASSERT_GT(removed, 0U);
  present();
  session->apply(model::command("steps.move", model::Move::first));
  for (size_t step = 0; step < session->snapshot()->position.size; ++step) {
    draw(kWidth, kHeight);
    const std::vector<gfx::TextShape> texts = drawnTexts();
    const auto hasLine = [&](uint32_t line, std::string_view part) {
      const std::string number = std::to_string(line);
      const auto first = std::ranges::find_if(texts, [&](const gfx::TextShape& text) {
        return text.text == number || text.text.starts_with(number + "  ");
      });
      return first != texts.end() && std::ranges::any_of(texts, [&](const gfx::TextShape& text) {
               return text.box.y == first->box.y && text.text.find(part) != std::string::npos;
             });
    };
    EXPECT_TRUE(hasLine(removed, "__syncthreads()")) << step;
    for (const uint32_t line : session->snapshot()->main->step.lines)
      EXPECT_TRUE(hasLine(line, "")) << "line " << line << " in step " << step;
    session->apply(model::command("steps.move", model::Move::forward));
  }
}

}  // namespace tilestep::ui::presentation_test
