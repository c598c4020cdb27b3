// SPDX-License-Identifier: Apache-2.0
#include "features/sums/panel.h"

#include <memory>
#include <string>

#include "support/skips.h"
#include "unit/features/divergence/traced_here.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui {
namespace sums_panel_test {

TEST(SumElements, AreAllShownOrAPowerOfTwo) {
  EXPECT_EQ(elementsWithRoom(64, 400, 1.2F), 64U);
  EXPECT_EQ(elementsWithRoom(256, 400, 1.2F), 256U);
  EXPECT_EQ(elementsWithRoom(1024, 400, 1.2F), 256U);
  EXPECT_EQ(elementsWithRoom(1024, 2000, 1.2F), 1024U);
}

class SumsPanel : public NullWindow {
 protected:
  void SetUp() override {
    if (!gfx::canDescribeFrames()) GTEST_SKIP() << support::because(support::kNewerImGui);
    useFonts(1600, 1000, 1);
    connect();
    ui.stage = Stage::sums;
    draw();
    draw();
  }
  [[nodiscard]] bool shows(const std::string& part) const {
    for (const gfx::TextShape& piece : drawnTexts())
      if (piece.text.find(part) != std::string::npos) return true;
    return false;
  }
  /// Draws the rows of a kernel's block into a window of their own; returns their height.
  float drawRows(const std::string& kernel, int64_t block, const gfx::Box& box,
                 uint32_t lastEvent) {
    model::SumsView view;
    view.of = model::tracedHere(kernel, {{"n", block}}, {{"BLOCK", block}});
    if (!view.of) return 0;
    view.tree = std::make_shared<const model::SumTree>(model::sumTreeOf(*view.of));
    view.lastEvent = lastEvent;
    const gfx::Palette palette = paletteOf(ui.theme);
    const auto snapshot = session->snapshot();
    const Context context{*snapshot, *session, ui, palette, fonts, fonts.textPixels, now};
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({1600, 1000});
    ImGui::Begin("rows", nullptr, ImGuiWindowFlags_NoDecoration);
    const float height = drawSumTree(context, view, box);
    ImGui::End();
    ImGui::Render();
    return height;
  }
};

TEST_F(SumsPanel, SaysThatAProductIsNoReduction) {
  EXPECT_TRUE(shows("reductions"));
}

TEST_F(SumsPanel, EachRoundHasItsRowAndItsCounts) {
  const float height = drawRows("reduce_neighbored", 64, {10, 10, 800, 400}, 10'000);
  EXPECT_GT(height, 100);
  EXPECT_LE(height, 401);
  for (const char* text : {"load", "distance 1", "distance 32", "result", "threads", "conflicts"})
    EXPECT_TRUE(boxOfText(text)) << text;
  EXPECT_LT(boxOfText("distance 1")->y, boxOfText("distance 2")->y);
  EXPECT_TRUE(shows("out[0] = ")) << "the block's sum";
}

TEST_F(SumsPanel, ALargeArrayIsShownInPart) {
  drawRows("reduce_interleaved", 1024, {10, 10, 620, 400}, 0);
  EXPECT_TRUE(boxOfText("the first 256 of 1024"));
  EXPECT_FALSE(shows("out[0] = ")) << "it has not run yet";
}

TEST_F(SumsPanel, TheLadderTakesThePlaceOfTheArray) {
  clickText("ladder");
  EXPECT_TRUE(boxOfText("warp instr."));
  EXPECT_TRUE(boxOfText("reduce interleaved"));
  ui.density = model::Density::lesson;
  draw();
  EXPECT_TRUE(boxOfText("warp instr."));
  clickText("array");
  EXPECT_FALSE(boxOfText("warp instr."));
}

}  // namespace sums_panel_test
}  // namespace tilestep::ui
