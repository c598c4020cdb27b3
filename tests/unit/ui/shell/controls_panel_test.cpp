// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <string>

#include "features/tuning/view.h"
#include "gfx/drawing/frame_drawing.h"
#include "support/results.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui::controls_panel_test {

class ControlsPanel : public NullWindow {
 protected:
  void begin(bool gpu) {
    log->gpu = gpu;
    connect();
    useFonts(1600, 1400, 1);
    draw(1600, 1400);
  }
  bool searches() { return session->snapshot()->view<features::TuningView>().search.running; }
};

TEST_F(ControlsPanel, OnAGpuButtonsStartAndCancelTheSearchForTheBestTunables) {
  begin(true);
  EXPECT_FALSE(boxOfText("compare values"));
  clickText("find the best");
  EXPECT_TRUE(searches());
  EXPECT_FALSE(boxOfText("find the best"));
  clickText("cancel the search");
  EXPECT_FALSE(searches());
  EXPECT_TRUE(boxOfText("find the best"));
}

TEST_F(ControlsPanel, WithoutAGpuAButtonShowsTheSweepOverTheTunables) {
  begin(false);
  EXPECT_FALSE(boxOfText("find the best"));
  clickText("compare values");
  EXPECT_EQ(ui.stage, Stage::sweeps);
  EXPECT_EQ(ui.sweep.kind, model::SweepKind::tunable);
}

TEST_F(ControlsPanel, ButtonsStayInPlaceWhenTheScrollBarAppears) {
  begin(true);
  const char* const kAtTheRight = "stepped together";
  const auto before = boxOfText("find the best"), right = boxOfText(kAtTheRight);
  draw(1600, 700);
  const ImGuiWindow* panel = ImGui::FindWindowByName("##controls");
  ASSERT_NE(panel, nullptr);
  ASSERT_TRUE(panel->ScrollbarY);
  const auto after = boxOfText("find the best"), rightAfter = boxOfText(kAtTheRight);
  ASSERT_TRUE(before && after && right && rightAfter);
  EXPECT_EQ(after->y, before->y);
  EXPECT_EQ(rightAfter->x, right->x);
}

TEST_F(ControlsPanel, NoTextOffersACommandInsteadOfItsButton) {
  begin(false);
  session->apply(model::command("tuning.best"));
  draw(1600, 1400);
  const std::string& text = session->snapshot()->view<features::TuningView>().best.text;
  EXPECT_TRUE(has(text, "No best tunables"));
  EXPECT_FALSE(has(text, "tilestep sweep"));
}

}  // namespace tilestep::ui::controls_panel_test
