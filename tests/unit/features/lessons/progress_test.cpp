// SPDX-License-Identifier: Apache-2.0
// Progress in lessons is kept between starts, and leaving a lesson restores the choice.
#include "features/lessons/progress.h"

#include <filesystem>

#include "base/private_folder.h"
#include "features/phases/view.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::progress_test {

class LessonProgressTest : public SessionFixture {
 protected:
  void SetUp() override {
    open();
    settle();
  }
  const LessonsView& lessons() { return next().view<LessonsView>(); }
  const LessonEntry& entry(size_t i) { return lessons().lessons.at(i); }
  void openLesson(size_t i) { session->apply(command("lessons.open", entry(i).file)); }
  /// The user's choice and step before a lesson.
  void choose() {
    session->apply(command("tuning.set", "TILE_WIDTH", 8));
    session->endGesture();
    session->apply(command("steps.grain", trace::StepGranularity::phase));
    settle();
    session->apply(command("phases.table", true));
    session->apply(command("steps.move", Move::forward));
    settle();
    AppearanceSet looks = session->looks();
    looks.switches.stage = Stage::scene;
    looks.switches.warpView = true;
    session->setLooks(looks);
    settle();
    before = snapshot().choice;
    step = snapshot().position.index;
    ASSERT_GT(step, 0U);
  }
  void expectChosen() {
    EXPECT_EQ(snapshot().choice, before);
    EXPECT_EQ(snapshot().position.index, step);
    EXPECT_EQ(snapshot().position.grain, trace::StepGranularity::phase);
    EXPECT_TRUE(snapshot().view<PhasesView>().wanted);
  }
  /// Starts another window with the saved state of this one.
  void startAgain(SessionOptions options = {}) {
    options.saved = parseSaved(toToml(session->saved()), "window.toml").value();
    open(options);
    settle();
  }

  Choice before;
  size_t step = 0;
};

TEST_F(LessonProgressTest, ListShowsProgressEvenAfterARestart) {
  EXPECT_FALSE(entry(0).at);
  openLesson(0);
  EXPECT_FALSE(entry(0).at) << "not begun";
  session->apply(command("lessons.reveal"));
  session->apply(command("lessons.step", 3));
  EXPECT_EQ(entry(0).at, 3U);
  session->apply(command("lessons.close"));
  startAgain();
  EXPECT_EQ(entry(0).at, 3U);
  EXPECT_FALSE(entry(0).finished);
  openLesson(0);
  EXPECT_EQ(lessons().lesson->index, 3U) << "resumes at the last step";
  session->apply(command("lessons.step", 0));
  EXPECT_TRUE(lessons().lesson->revealed) << "an answered question stays answered";
  EXPECT_FALSE(lessons().lesson->right);
  session->apply(command("lessons.step", 1));
  EXPECT_FALSE(lessons().lesson->revealed);
}

TEST_F(LessonProgressTest, FinishedLessonHasATickAndRestarts) {
  openLesson(0);
  session->apply(command("lessons.reveal"));
  session->apply(command("lessons.step", entry(0).steps - 1));
  EXPECT_TRUE(entry(0).finished);
  EXPECT_FALSE(entry(0).at);
  startAgain();
  ASSERT_TRUE(lessons().lesson) << "the lesson was open";
  EXPECT_EQ(lessons().lesson->index, entry(0).steps - 1);
  session->apply(command("lessons.close"));
  openLesson(0);
  EXPECT_EQ(lessons().lesson->index, 0U);
  EXPECT_FALSE(lessons().lesson->revealed);
  EXPECT_TRUE(entry(0).finished);
}

/// The lesson may have other questions than the listed lesson.
TEST_F(LessonProgressTest, UsersLessonWithAListedNameHasNoProgress) {
  const PrivateFolder folder;
  const std::filesystem::path listed = entry(0).file;
  const std::filesystem::path own = folder.path() / listed.filename();
  std::filesystem::copy_file(listed, own);
  openLesson(0);
  session->apply(command("lessons.reveal"));
  session->apply(command("lessons.step", 3));
  session->apply(command("lessons.open", own.string()));
  EXPECT_EQ(lessons().lesson->index, 0U);
  EXPECT_FALSE(lessons().lesson->revealed);
  session->apply(command("lessons.step", 1));
  EXPECT_EQ(entry(0).at, 3U);
}

TEST_F(LessonProgressTest, StartingOverClearsStepAndAnswers) {
  openLesson(0);
  session->apply(command("lessons.reveal"));
  session->apply(command("lessons.step", 2));
  session->apply(command("lessons.restart", entry(0).file));
  EXPECT_EQ(lessons().lesson->index, 0U);
  EXPECT_FALSE(lessons().lesson->revealed);
  EXPECT_FALSE(entry(0).at);
}

TEST_F(LessonProgressTest, PlayingALessonLeavesNoProgress) {
  openLesson(0);
  session->apply(command("lessons.keep"));
  session->apply(command("lessons.reveal"));
  session->apply(command("lessons.step", entry(0).steps - 1));
  session->apply(command("lessons.return"));
  EXPECT_FALSE(entry(0).at);
  EXPECT_FALSE(entry(0).finished);
}

TEST_F(LessonProgressTest, CommandLineKernelKeepsProgress) {
  openLesson(0);
  session->apply(command("lessons.step", 2));
  SessionOptions options;
  options.kernel = "matmul_naive";
  startAgain(options);
  EXPECT_FALSE(lessons().lesson);
  EXPECT_EQ(entry(0).at, 2U);
}

TEST_F(LessonProgressTest, UnknownLessonsStepsAndAnswersAreIgnored) {
  openLesson(0);
  session->apply(command("lessons.step", 2));
  Saved saved = session->saved();
  saved.place.lesson.clear();
  saved.place.lessonStep = 0;
  saved.place.lessons.begin()->second.step = 900;
  saved.place.lessons.begin()->second.answers = {{"no-such-step", true}};
  saved.place.lessons["no-such-lesson"] = {5, true, {}};
  SessionOptions options;
  options.saved = saved;
  open(options);
  settle();
  EXPECT_EQ(entry(0).at, entry(0).steps - 1);
  for (size_t i = 1; i < lessons().lessons.size(); ++i)
    EXPECT_FALSE(entry(i).at || entry(i).finished);
  openLesson(0);
  EXPECT_EQ(lessons().lesson->index, entry(0).steps - 1);
}

TEST_F(LessonProgressTest, NextLessonIsOfferedUntilTheLast) {
  openLesson(0);
  EXPECT_EQ(lessons().next->title, entry(1).title);
  openLesson(lessons().lessons.size() - 1);
  EXPECT_FALSE(lessons().next);
}

TEST_F(LessonProgressTest, ClosingALessonRestoresChoiceStepAndView) {
  ASSERT_NO_FATAL_FAILURE(choose());
  for (size_t lesson : {0U, 4U}) {  // Also after a switch to another lesson.
    openLesson(lesson);
    settle();
  }
  EXPECT_TRUE(lessons().givesBack);
  EXPECT_NE(snapshot().choice, before);
  AppearanceSet looks = session->looks();
  looks.switches.stage = Stage::roofline;
  looks.switches.warpView = false;
  session->setLooks(looks);
  const unsigned takenBack = session->looksTakenBack();
  session->apply(command("lessons.close"));
  settle();
  expectChosen();
  EXPECT_GT(session->looksTakenBack(), takenBack) << "the window restores its view, too";
  // The undo history is the earlier one.
  session->undo();  // The view.
  session->undo();
  settle();
  EXPECT_NE(snapshot().tunables.at("TILE_WIDTH"), 8);
  EXPECT_FALSE(snapshot().canUndo);
}

TEST_F(LessonProgressTest, ClosingALessonRestoresTheChoiceOfAnEarlierStart) {
  ASSERT_NO_FATAL_FAILURE(choose());
  openLesson(4);
  AppearanceSet looks = session->looks();
  looks.desk.theme = Theme::light;
  looks.switches.warpView = false;
  session->setLooks(looks);
  settle();
  startAgain();
  ASSERT_TRUE(lessons().lesson);
  EXPECT_TRUE(lessons().givesBack);
  session->apply(command("lessons.close"));
  settle();
  before.looks.desk.theme = Theme::light;
  expectChosen();
}

TEST_F(LessonProgressTest, ClosingALessonRestoresAnAvailableDevice) {
  openLesson(0);
  settle();
  const std::string roofDevice = snapshot().choice.roofDevice;
  SessionOptions options;
  options.saved = session->saved();
  options.saved->place.before->choice.device = "cuda:7";
  options.saved->place.before->choice.roofDevice = "no-such-device";
  options.device = "simt";
  open(options);
  settle();
  session->apply(command("lessons.close"));
  settle();
  EXPECT_EQ(snapshot().choice.device, "simt") << "as requested by this start";
  EXPECT_EQ(snapshot().choice.roofDevice, roofDevice);
}

TEST_F(LessonProgressTest, ChoiceIsRestoredIfTheOpenLessonIsMissing) {
  ASSERT_NO_FATAL_FAILURE(choose());
  openLesson(4);
  settle();
  SessionOptions options;
  options.saved = session->saved();
  options.saved->place.lesson = testing::TempDir() + "/removed.md";
  open(options);
  settle();
  EXPECT_FALSE(lessons().lesson);
  EXPECT_FALSE(lessons().givesBack);
  EXPECT_NE(notice("lesson"), nullptr);
  expectChosen();
  EXPECT_FALSE(snapshot().canUndo);
  EXPECT_FALSE(session->saved().place.before);
}

TEST_F(LessonProgressTest, ClosingALessonKeepsTheUsersChanges) {
  openLesson(0);
  settle();
  AppearanceSet looks = session->looks();
  looks.desk.theme = Theme::light;
  session->setLooks(looks);
  session->endGesture();
  session->apply(command("lessons.close"));
  settle();
  EXPECT_EQ(session->looks().desk.theme, Theme::light);
  session->undo();
  EXPECT_EQ(session->looks().desk.theme, Theme::dark);
  session->redo();
  EXPECT_EQ(session->looks().desk.theme, Theme::light);
}

TEST_F(LessonProgressTest, StayingKeepsTheScene) {
  openLesson(0);
  settle();
  const Choice shown = snapshot().choice;
  session->apply(command("lessons.stay"));
  settle();
  EXPECT_FALSE(lessons().lesson);
  EXPECT_EQ(snapshot().choice, shown);
  session->undo();
  settle();
  EXPECT_EQ(snapshot().choice.kernel, "matmul_tiled") << "undone like any other change";
}

}  // namespace tilestep::features::progress_test
