// SPDX-License-Identifier: Apache-2.0
// The visible part of the source: the running lines, and their execution counts.
#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/source/panel.h"
#include "features/source/panel_counts.h"
#include "support/results.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::panel_follow_test {

constexpr uint32_t kStoreLine = 17;  // The toy product's last line.

class SourceInSight : public NullWindow {
 protected:
  void SetUp() override {
    connect();
    // The toy product's lines are in the front matter.
    ui.frontMatter = true;
  }
  void goTo(const char* where) { session->apply(model::command("steps.move", std::string(where))); }

  [[nodiscard]] static const ImGuiWindow* lines() {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive &&
          std::string_view(window->Name).find("##source/lines") != std::string_view::npos)
        return window;
    return nullptr;
  }
  /// A line's text in the source panel, with its number; absent unless the whole line is visible.
  [[nodiscard]] std::optional<gfx::TextShape> seen(uint32_t line) const {
    const ImGuiWindow* window = lines();
    if (window == nullptr) return std::nullopt;
    const ImRect& inside = window->InnerRect;
    for (const gfx::TextShape& text : drawnTexts()) {
      const bool within = text.box.x >= inside.Min.x && text.box.x <= inside.Max.x &&
                          text.box.y >= inside.Min.y - 1 &&
                          text.box.y + text.box.height <= inside.Max.y + 1;
      if (within && text.text.starts_with(std::to_string(line))) return text;
    }
    return std::nullopt;
  }
};

TEST_F(SourceInSight, RunningLineIsVisibleAtEverySizeAndScale) {
  goTo("last");
  int checked = 0;
  for (const auto& [width, height] :
       {std::pair{1024.0F, 768.0F}, {1366.0F, 768.0F}, {1920.0F, 1080.0F}, {3840.0F, 2160.0F}})
    for (const float scale : {0.75F, 1.0F, 1.3F, 2.0F, 1.0F}) {
      useFonts(width, height, scale);
      draw(width, height);
      if (lines() == nullptr) continue;
      ++checked;
      EXPECT_TRUE(seen(kStoreLine)) << width << " x " << height << " at " << scale;
    }
  EXPECT_GE(checked, 18) << "of 20; in a small window, the source does not fit in the largest type";
}

TEST_F(SourceInSight, RunningLineStaysVisibleWhenThePanelShrinks) {
  goTo("last");
  useFonts(1920, 1080, 1.3F);
  for (const float height : {300.0F, 200.0F, 150.0F, 1.0F}) {
    ui.sourceHeight = height;
    draw(1920, 1080);
    ASSERT_NE(lines(), nullptr);
    EXPECT_TRUE(seen(kStoreLine)) << height;
  }
}

TEST_F(SourceInSight, ScrollingAwayLastsUntilTheNextStep) {
  goTo("last");
  useFonts(1920, 1080, 1.3F);
  ui.sourceHeight = 150;
  draw(1920, 1080);
  ASSERT_TRUE(seen(kStoreLine));
  const auto scroll = [](float y) { ImGui::SetScrollY(const_cast<ImGuiWindow*>(lines()), y); };
  scroll(0);
  draw(1920, 1080);
  ASSERT_FALSE(seen(kStoreLine));
  ui.sourceHeight = 156;  // As when a scroll bar appears or disappears.
  draw(1920, 1080);
  EXPECT_EQ(lines()->Scroll.y, 0);
  goTo("back");
  draw(1920, 1080);
  goTo("last");
  draw(1920, 1080);
  EXPECT_TRUE(seen(kStoreLine));
}

TEST_F(SourceInSight, RunningLineIsVisibleWhileABarrierIsRemoved) {
  session->apply(model::command("barriers.remove", 2));
  connect();
  ASSERT_GT(session->snapshot()->main->side->removedLine, 0U);
  useFonts(1366, 768, 1);
  ui.sourceHeight = 1;
  goTo("last");
  draw(1366, 768);
  EXPECT_TRUE(seen(kStoreLine)) << "too far from the removed line to show both";
}

TEST_F(SourceInSight, RemovedLineYieldsToARunningLine) {
  session->apply(model::command("barriers.remove", 2));
  connect();
  goTo("last");
  useFonts(1600, 1000, 1);
  draw();
  const auto snapshot = session->snapshot();
  const uint32_t removed = snapshot->main->side->removedLine;
  ASSERT_GT(removed, 0U);
  const gfx::Palette palette = paletteOf(ui.theme);
  const Context context{*snapshot, *session, ui, palette, fonts, fonts.textPixels, now};
  const float row = RunningLines::kLineHeight * compat::sizeOf(fonts.mono);
  RunningLines running;
  for (const int rows : {1, 2}) {
    ImGui::NewFrame();
    ImGui::SetNextWindowSize({800, (static_cast<float>(rows) + 0.5F) * row + 16});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {8, 8});
    ImGui::Begin("running", nullptr, ImGuiWindowFlags_NoDecoration);
    running.draw(context);
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::Render();
    const std::vector<gfx::TextShape> texts = drawnTexts();
    const auto isDrawn = [&](uint32_t line) {
      return std::ranges::any_of(texts, [&](const gfx::TextShape& text) {
        return text.text.starts_with(std::to_string(line));
      });
    };
    EXPECT_TRUE(isDrawn(kStoreLine)) << rows;
    EXPECT_EQ(isDrawn(removed), rows == 2) << rows;
  }
}

TEST_F(SourceInSight, MarginShowsTheStepsWarpInstructions) {
  useFonts(1920, 1080, 1);
  ui.sourceHeight = 600;
  draw(1920, 1080);
  const auto isDrawn = [&](const std::string& text) { return boxOfText(text).has_value(); };
  EXPECT_TRUE(isDrawn("1 instr.")) << "the barrier";
  EXPECT_TRUE(isDrawn("2 instr.")) << "of lines 10 and 11, in this phase only";
  goTo("forward");
  draw(1920, 1080);
  EXPECT_TRUE(isDrawn("12 instr."));
}

TEST(SourceMargin, HoverCoversAllSteps) {
  EXPECT_EQ(runsText({4, 16}, false), "4 instr.");
  EXPECT_EQ(runsText({1536, 3072}, false), "1,536 instr.");
  EXPECT_EQ(runsText({0, 16}, false), "");
  EXPECT_EQ(runsText({4, 16}, true), "? instr.");
  EXPECT_TRUE(runsHover({4, 16}, false, "the interpreter")
                  .starts_with("In this step: 4 warp instructions. In all steps of this block: 16 "
                               "warp instructions, counted from its trace (the interpreter)."));
  const std::string other = runsHover({0, 16}, false, "");
  EXPECT_TRUE(other.starts_with("Does not run in this step. In all"));
  EXPECT_TRUE(
      has(other, "Only instructions that access memory, add to a sum or wait are counted."));
}

}  // namespace tilestep::features::panel_follow_test
