// SPDX-License-Identifier: Apache-2.0
#include "features/labs/view.h"
#include "features/lessons/view.h"
#include "ui/shell/keys.h"
#include "ui/shell/palette.h"
#include "unit/features/labs/lab_home.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::labs_panel_test {

class LabsPanel : public NullWindow {
 protected:
  void SetUp() override {
    model::SessionOptions options;
    options.home = makeLabHome("labs_panel_test");
    session = std::make_unique<model::Session>(options, features::makeFeatures());
    useFonts(1600, 1000, 1);
    connect();
    draw();
  }
  [[nodiscard]] const LabsView& labs() {
    kept = session->snapshot();
    return kept->view<LabsView>();
  }
  [[nodiscard]] bool inLesson() const {
    return session->snapshot()->view<LessonsView>().lesson.has_value();
  }
  void open() {
    session->apply(model::command("labs.open", "branches"));
    draw();
  }
  void press(gfx::Key key) {
    gfx::KeyEvent event;
    event.key = key;
    (void)handleKeys({event}, *session, ui, false, false);
    draw();
  }
  void settle() {
    answer(10);
    draw();
  }
  std::shared_ptr<const model::Snapshot> kept;
};

TEST_F(LabsPanel, ListOpensALabAndAChoiceIsItsPrediction) {
  clickText("learn");
  EXPECT_TRUE(boxOfText("10 min"));
  ASSERT_TRUE(ui.course.rows.contains("branches"));
  clickAt(ui.course.rows.at("branches"));
  ASSERT_TRUE(labs().predicting);
  EXPECT_FALSE(inLesson());
  clickText("twice as long");
  settle();
  EXPECT_TRUE(inLesson());
  EXPECT_EQ(session->snapshot()->choice.kernel, "branch_thread_parity");
}

TEST_F(LabsPanel, LastStepComparesPredictionAndAnswer) {
  open();
  clickText("as long");
  settle();
  EXPECT_FALSE(boxOfText("You")) << "the lesson has begun";
  session->apply(model::command("lessons.step", 2));
  settle();
  bool shown = false;
  for (const gfx::TextShape& piece : drawnTexts())
    shown |= piece.text.find("predicted") != std::string::npos;
  EXPECT_TRUE(shown);
}

TEST_F(LabsPanel, KernelsAreButtons) {
  open();
  clickText("Without a prediction");
  settle();
  clickText("branch warp parity");
  settle();
  EXPECT_EQ(session->snapshot()->choice.kernel, "branch_warp_parity");
  EXPECT_EQ(ui.stage, Stage::scene);
}

TEST_F(LabsPanel, ClickerContinuesAndEscapeLeaves) {
  open();
  press(gfx::Key::pageUp);
  EXPECT_TRUE(labs().predicting);
  press(gfx::Key::escape);
  EXPECT_FALSE(labs().open);
  open();
  press(gfx::Key::pageDown);
  EXPECT_TRUE(inLesson());
}

TEST_F(LabsPanel, PaletteListsLabs) {
  kept = session->snapshot();
  const gfx::Palette palette = paletteOf(ui.theme);
  const Context context{*kept, *session, ui, palette, fonts, fonts.textPixels, now};
  std::vector<PaletteItem> items = paletteItems(context);
  std::erase_if(items, [](const PaletteItem& item) { return !matches(item, "labs"); });
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].name, "Labs: Branches");
  items[0].run();
  draw();
  EXPECT_TRUE(labs().predicting);
}

TEST_F(LabsPanel, EscLeavesThePredictionsFieldAndThenTheLab) {
  open();
  ASSERT_TRUE(labs().predicting);
  gfx::KeyEvent escape;
  escape.key = gfx::Key::escape;
  (void)handleKeys({escape}, *session, ui, true, false);
  draw();
  EXPECT_TRUE(labs().predicting) << "the field had the keyboard focus";
  press(gfx::Key::escape);
  EXPECT_FALSE(labs().predicting);
}

}  // namespace tilestep::features::labs_panel_test
