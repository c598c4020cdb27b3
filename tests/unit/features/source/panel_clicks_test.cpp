// SPDX-License-Identifier: Apache-2.0
// Typing after a click on the source, and the parts of the source that an open question covers.

#include "base/files.h"
#include "features/names.h"
#include "ui/shell/keys.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::source_panel_test {

class SourceOnScreen : public NullWindow {
 protected:
  void SetUp() override {
    connect();
    draw();
  }
  void click(ImVec2 at) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = at;
    for (const bool down : {false, true, false}) {
      io.MouseDown[ImGuiMouseButton_Left] = down;
      draw();
    }
  }
  void clickCode() {
    const gfx::Box box = ui.boxOf("source");
    ASSERT_GT(box.height, 0);
    click({box.x + 0.9F * box.width, box.y + 0.6F * box.height});
  }
  void type(char32_t sign) {
    (void)handleKeys({{.text = sign}}, *session, ui, false, false);
    draw();
  }
  /// The state that letters could change as keys: the theme, the stage, the removed barrier, the
  /// list.
  [[nodiscard]] std::string looks() const {
    const auto shown = session->snapshot();
    return std::string(nameOf(ui.theme)) + nameOf(ui.stage) +
           std::to_string(shown->choice.withoutBarrier) + (ui.motion ? "m" : "") +
           (ui.companionSource ? "s" : "") + std::to_string(shown->position.playing);
  }
};

TEST_F(SourceOnScreen, IgnoresLettersTypedAfterAClick) {
  const std::string before = looks();
  clickCode();
  ASSERT_TRUE(ui.codeClicked);
  for (const char32_t sign : U"Ab=t6;//Smpn") type(sign);
  EXPECT_EQ(looks(), before);
  type(U't');
  EXPECT_EQ(looks(), before);
}

TEST_F(SourceOnScreen, KeysWorkAgainAfterEscOrAClickElsewhere) {
  const std::string before = looks();
  clickCode();
  (void)handleKeys({{.key = gfx::Key::escape}}, *session, ui, false, false);
  type(U't');
  EXPECT_NE(looks(), before);
  clickCode();
  ASSERT_TRUE(ui.codeClicked);
  const gfx::Box steps = ui.boxOf("steps");
  click({steps.x + steps.width - 2, steps.y + 2});
  EXPECT_FALSE(ui.codeClicked);
  clickCode();
  ui.stage = Stage::roofline;
  draw();
  EXPECT_FALSE(ui.codeClicked) << "the code is gone";
}

TEST_F(SourceOnScreen, KeysWorkAgainAfterAStep) {
  using gfx::Key;
  for (const Key key : {Key::space, Key::left, Key::right, Key::up, Key::down, Key::home, Key::end,
                        Key::pageUp, Key::pageDown}) {
    clickCode();
    ASSERT_TRUE(ui.codeClicked);
    (void)handleKeys({{.key = key}}, *session, ui, false, false);
    EXPECT_FALSE(ui.codeClicked);
    const std::string before = looks();
    type(U't');
    EXPECT_NE(looks(), before);
  }
}

TEST_F(SourceOnScreen, KeysAlwaysWorkInAWindowWithoutAStatusLine) {
  constexpr float kLow = 500;
  draw(1600, kLow);
  if (!ui.isShown(Panel::source)) togglePanel(ui, Panel::source);
  draw(1600, kLow);
  const gfx::Box box = ui.boxOf("source");
  ASSERT_GT(box.height, 0);
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = {box.x + 0.9F * box.width, box.y + 0.6F * box.height};
  for (const bool down : {false, true, false}) {
    io.MouseDown[ImGuiMouseButton_Left] = down;
    drawOnce(1600, kLow);
    EXPECT_FALSE(ui.codeClicked);
  }
}

TEST_F(SourceOnScreen, ClickStillGoesThroughTheStepsOfALine) {
  const model::Snapshot first = *session->snapshot();
  ASSERT_FALSE(first.main->step.lines.empty());
  ui.codeClicked = true;
  ui.lineChosen = first.main->step.lines.back();
  session->apply(model::command("steps.grain", trace::StepGranularity::event));
  draw();
  const size_t at = session->snapshot()->position.index;
  type(U'n');
  EXPECT_NE(session->snapshot()->position.index, at);
  EXPECT_FALSE(ui.codeClicked);
}

constexpr const char* kLesson =
    "# A\n"
    "## one\n"
    "```toml\nkernel = \"matmul_tiled\"\nsize = 4\n"
    "[ask]\nquestion = \"Which guard?\"\nanswer = 4\n"
    "hide = [\"row < m && ph * TILE_WIDTH + tx < k\", \" = [\"]\n"
    "```\n"
    "Think.\n";

/// The texts in the source or in the running lines, concatenated.
std::string codeOf(const std::vector<gfx::TextShape>& pieces) {
  std::string code;
  for (const gfx::TextShape& piece : pieces)
    if (piece.face == gfx::Typeface::mono) code += piece.text;
  std::erase(code, ' ');
  return code;
}

TEST_F(SourceOnScreen, HiddenTextsAppearOnceTheQuestionIsAnswered) {
  useFonts(1600, 1000, 1);
  const std::string file = testing::TempDir() + "/source_panel_test.md";
  ASSERT_TRUE(writeFileAtomically(file, kLesson));
  session->apply(model::command("lessons.open", file));
  const auto shows = [&](const char* text) {
    answer(8);
    ui.lineWanted = 80;
    draw();
    return codeOf(drawnTexts()).find(text) != std::string::npos;
  };
  EXPECT_TRUE(shows("80if(")) << "the line itself is visible";
  EXPECT_FALSE(shows("ph*TILE_WIDTH+tx<k"));
  togglePresentation(ui);
  EXPECT_TRUE(shows("11rules")) << "a line that runs in the toy's trace";
  EXPECT_FALSE(shows("11rules=["));
  session->apply(model::command("lessons.reveal"));
  EXPECT_TRUE(shows("11rules=["));
  togglePresentation(ui);
  if (!ui.isShown(Panel::source)) togglePanel(ui, Panel::source);
  EXPECT_TRUE(shows("80if(row<m&&ph*TILE_WIDTH+tx<k)"));
}

}  // namespace tilestep::features::source_panel_test
