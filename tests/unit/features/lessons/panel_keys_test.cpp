// SPDX-License-Identifier: Apache-2.0
// The keys of a presenter's clicker, regardless of the keyboard focus.
#include "features/lessons/view.h"
#include "ui/shell/keys.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::lesson_keys_test {

class LessonKeys : public NullWindow {
 protected:
  void SetUp() override {
    connect();
    session->apply(model::command("lessons.open", lessons().lessons.front().file));
    draw();
  }
  const LessonsView& lessons() {
    now += 0.1;
    session->poll(now);
    kept = session->snapshot();
    return kept->view<LessonsView>();
  }
  const LessonView& lesson() { return *lessons().lesson; }
  void press(gfx::Key key, bool typing = false, bool walking = false) {
    gfx::KeyEvent event;
    event.key = key;
    (void)handleKeys({event}, *session, ui, typing, walking);
  }
  std::shared_ptr<const model::Snapshot> kept;
};

TEST_F(LessonKeys, WorkInTheAnswerFieldAndOnEveryStage) {
  press(gfx::Key::pageDown, true);
  EXPECT_TRUE(lesson().revealed) << "the field has the focus";
  press(gfx::Key::pageDown, false, true);
  EXPECT_EQ(lesson().index, 1U) << "after Tab";
  for (size_t i = 0; i < model::kStages; ++i) {
    ui.stage = static_cast<Stage>(i);
    ui.choiceAt = 0;
    press(gfx::Key::pageUp);
    EXPECT_EQ(lesson().index, 0U) << nameOf(ui.stage);
    press(gfx::Key::pageDown);
    EXPECT_EQ(lesson().index, 1U) << nameOf(ui.stage);
  }
  press(gfx::Key::f5);
  EXPECT_TRUE(ui.presenting) << "some clickers start a presentation with this key";
  press(gfx::Key::escape);
  press(gfx::Key::pageUp);
  EXPECT_EQ(lesson().index, 0U);
}

TEST_F(LessonKeys, ScrollAnOpenListAndTheHelp) {
  ui.help = true;
  press(gfx::Key::pageDown);
  EXPECT_FALSE(lesson().revealed);
  ui.help = false;
  ui.popupOpen = true;
  press(gfx::Key::pageDown);
  EXPECT_FALSE(lesson().revealed);
}

TEST_F(LessonKeys, EscClosesTheLessonLikeTheButton) {
  const std::string before = session->snapshot()->choice.kernel;
  session->apply(model::command("lessons.close"));
  draw();
  const std::string closed = session->snapshot()->choice.kernel;
  session->apply(model::command("lessons.open", lessons().lessons.front().file));
  draw();
  ASSERT_EQ(session->snapshot()->choice.kernel, before);
  ASSERT_NE(before, closed);
  press(gfx::Key::escape);
  EXPECT_FALSE(lessons().lesson);
  EXPECT_EQ(session->snapshot()->choice.kernel, closed);
}

TEST_F(LessonKeys, EscEndsTheInnermostStateFirst) {
  press(gfx::Key::escape, true);
  EXPECT_TRUE(lessons().lesson) << "the answer field has the focus";
  press(gfx::Key::escape, false, true);
  EXPECT_TRUE(lessons().lesson) << "after Tab";
  ui.popupOpen = true;
  press(gfx::Key::escape);
  EXPECT_TRUE(lessons().lesson) << "a list is open";
  ui.popupOpen = false;
  for (bool* inner : {&ui.help, &ui.glossary.open, &ui.codeClicked, &ui.save.open}) {
    *inner = true;
    press(gfx::Key::escape);
    EXPECT_TRUE(lessons().lesson);
    EXPECT_FALSE(*inner);
  }
  ui.choiceAt = 0;
  press(gfx::Key::escape);
  EXPECT_TRUE(lessons().lesson);
  press(gfx::Key::f5);
  press(gfx::Key::escape);
  EXPECT_TRUE(lessons().lesson) << "the clicker's key that ends a presentation";
  press(gfx::Key::f5);
  press(gfx::Key::escape);
  EXPECT_FALSE(lessons().lesson);
}

TEST_F(LessonKeys, LOpensTheFirstUnfinishedLesson) {
  const std::string second = lessons().lessons[1].title;
  session->apply(model::command("lessons.step", lesson().lesson->steps.size() - 1));
  gfx::KeyEvent key;
  key.text = U'l';
  (void)handleKeys({key}, *session, ui, false, false);
  EXPECT_FALSE(lessons().lesson);
  (void)handleKeys({key}, *session, ui, false, false);
  ASSERT_TRUE(lessons().lesson);
  EXPECT_EQ(lesson().lesson->title, second);
}

}  // namespace tilestep::features::lesson_keys_test
