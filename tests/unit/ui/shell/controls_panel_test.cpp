// SPDX-License-Identifier: Apache-2.0
// The buttons for the best tunables, clicked.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "features/tuning/view.h"
#include "gfx/drawing/frame_drawing.h"
#include "support/skips.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui {
namespace controls_panel_test {

class ControlsPanel : public NullWindow {
 protected:
  void SetUp() override {
    if (!gfx::canDescribeFrames()) GTEST_SKIP() << support::because(support::kNewerImGui);
  }
  void begin(bool gpu) {
    log->gpu = gpu;
    connect();
    useFonts(1600, 1400, 1);
    draw(1600, 1400);
  }
  /// Where the last frame shows a text; nothing: nowhere.
  [[nodiscard]] std::optional<gfx::Box> find(const std::string& text) const {
    const gfx::Drawing drawing = gfx::drawingOf(*ImGui::GetDrawData(), interface.scenes());
    for (const gfx::Shape& shape : drawing.shapes) {
      const auto* piece = std::get_if<gfx::TextShape>(&shape.what);
      if (piece != nullptr && piece->text == text) return piece->box;
    }
    return std::nullopt;
  }
  void click(const std::string& text) {
    const std::optional<gfx::Box> box = find(text);
    ASSERT_TRUE(box) << text << " is not shown";
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = {box->x + box->width / 2, box->y + box->height / 2};
    draw(1600, 1400);
    io.MouseDown[ImGuiMouseButton_Left] = true;
    draw(1600, 1400);
    io.MouseDown[ImGuiMouseButton_Left] = false;
    draw(1600, 1400);
    io.MousePos = {-1, -1};
    draw(1600, 1400);
  }
  bool searches() { return session->snapshot()->view<model::TuningView>().search.running; }
};

TEST_F(ControlsPanel, OnAGpuAButtonSearchesForTheBestTunablesAndAnotherCancels) {
  begin(true);
  EXPECT_FALSE(find("compare values"));
  click("find the best");
  EXPECT_TRUE(searches());
  EXPECT_FALSE(find("find the best"));
  click("cancel the search");
  EXPECT_FALSE(searches());
  EXPECT_TRUE(find("find the best"));
}

TEST_F(ControlsPanel, WithoutAGpuAButtonShowsTheSweepOverTheTunables) {
  begin(false);
  EXPECT_FALSE(find("find the best"));
  click("compare values");
  EXPECT_EQ(ui.stage, Stage::sweeps);
  EXPECT_EQ(ui.sweep.kind, model::SweepKind::tunable);
}

TEST_F(ControlsPanel, TheWindowNeverOffersACommandForWhatItsButtonDoes) {
  begin(false);
  session->apply(model::command("tuning.best"));
  draw(1600, 1400);
  const std::string& text = session->snapshot()->view<model::TuningView>().best.text;
  EXPECT_NE(text.find("No best tunables"), std::string::npos) << text;
  EXPECT_EQ(text.find("tilestep sweep"), std::string::npos) << text;
}

}  // namespace controls_panel_test
}  // namespace tilestep::ui
