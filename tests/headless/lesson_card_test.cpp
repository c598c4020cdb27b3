// SPDX-License-Identifier: Apache-2.0
// The card of a lesson's step. A question with its choices, and the beginning of an answer, can be
// read without scrolling. While a question covers the picture, the kernel's source is shown in its
// place.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>

#include "features/labs/view.h"
#include "features/lessons/panel_script.h"
#include "features/lessons/view.h"
#include "features/speed_board/board.h"
#include "features/timing/view.h"
#include "support/known_fonts.h"
#include "support/results.h"
#include "support/source_root.h"
#include "ui/headless_window.h"
#include "ui/kept_pictures.h"

namespace tilestep::tests::lesson_card_test {

namespace fs = std::filesystem;
using features::LessonsView;

const features::LessonView& lessonOf(HeadlessWindow& window) {
  return *window.session().snapshot()->view<LessonsView>().lesson;
}

std::string fileOf(const std::string& lesson) {
  return (fs::path(support::sourceRoot()) / "assets" / "lessons" / (lesson + ".md")).string();
}

model::SessionOptions options(const std::string& device) {
  model::SessionOptions options;
  options.home = support::sourceRoot();
  options.device = device;
  return options;
}

/// Removes punctuation and blanks, because a text is drawn in one piece per line and face.
std::string inked(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (c != '*' && c != '`' && std::isspace(static_cast<unsigned char>(c)) == 0) out += c;
  return out;
}

/// All texts of the card that are not clipped.
std::string cardOf(const HeadlessWindow& window) {
  std::string text;
  for (const support::DrawnText& drawn : window.texts())
    if (drawn.panel.starts_with("lesson")) text += inked(drawn.text);
  return text;
}

std::string listingOf(const HeadlessWindow& window) {
  std::string text;
  for (const support::DrawnText& drawn : window.texts())
    if (drawn.panel.starts_with("source")) text += inked(drawn.text);
  return text;
}

void makeFrames(HeadlessWindow& window) {
  constexpr int kFrames = 8;  // The card's height follows its contents, and then the card scrolls.
  for (int i = 0; i < kFrames; ++i) window.frame();
}

void expectDrawn(const HeadlessWindow& window, const std::string& text, const char* what) {
  EXPECT_TRUE(has(cardOf(window), inked(text))) << what << " is not in the card: " << text;
}

void expectQuestion(HeadlessWindow& window) {
  const features::LessonView view = lessonOf(window);
  expectDrawn(window, view.shown->question, "the question");
  for (const std::string& choice : view.shown->choices) expectDrawn(window, choice, "a choice");
  expectDrawn(window, view.shown->choices.empty() ? "Answer" : "Show", "a button");
}

class LessonCard : public testing::TestWithParam<std::string> {};

TEST_P(LessonCard, ShowsQuestionAndAnswerWithoutScrolling) {
  HeadlessWindow window(options("simt"), 1920, 1080);
  window.session().apply(model::command("lessons.open", fileOf(GetParam())));
  window.frame();
  const size_t steps = lessonOf(window).lesson->steps.size();
  for (size_t i = 0; i < steps; ++i) {
    window.session().apply(model::command("lessons.step", i));
    window.frame();
    if (!lessonOf(window).step().ask) continue;
    SCOPED_TRACE(lessonOf(window).step().title);
    ASSERT_TRUE(window.settle([&](const std::string&) { return !lessonOf(window).shown->coming; }));
    for (const auto& [width, height] : {std::pair{1280, 800}, {1024, 640}}) {
      SCOPED_TRACE(width);
      window.resize(float(width), float(height));
      makeFrames(window);
      expectQuestion(window);
    }
    window.resize(1920, 1080);
    ui::togglePresentation(window.ui());
    makeFrames(window);
    expectQuestion(window);
    window.session().apply(model::command("lessons.reveal"));
    makeFrames(window);
    const features::LessonView view = lessonOf(window);
    expectDrawn(window, view.shown->question, "the answered question");
    expectDrawn(window, view.verdict, "the verdict");
    if (!view.shown->answer.empty())
      expectDrawn(window, view.shown->answer.front(), "the answer's first paragraph");
    ui::togglePresentation(window.ui());
    makeFrames(window);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, LessonCard, testing::ValuesIn(lessons()),
                         [](const auto& made) { return testName(made.param); });

TEST(LessonCards, FoldToOneLineAfterTheAnswer) {
  HeadlessWindow window(options("simt"), 1920, 1080);
  window.session().apply(model::command("lessons.open", fileOf("8-block-shapes")));
  ui::togglePresentation(window.ui());
  makeFrames(window);
  window.key("F11");
  makeFrames(window);
  EXPECT_FALSE(window.ui().card.folded) << "an open question stays";
  window.session().apply(model::command("lessons.reveal"));
  makeFrames(window);
  const float whole = window.ui().lessonHeight;
  window.key("F11");
  makeFrames(window);
  EXPECT_LT(window.ui().lessonHeight, whole / 2);
  window.key("F11");
  makeFrames(window);
  EXPECT_EQ(window.ui().lessonHeight, whole);
  window.key("F11");
  makeFrames(window);
  window.key("pagedown");
  makeFrames(window);
  EXPECT_EQ(lessonOf(window).index, 1U);
  EXPECT_FALSE(window.ui().card.folded) << "the next step is read first";
}

TEST(LessonCards, TheSourceIsShownInPlaceOfACoveredStage) {
  HeadlessWindow window(options("simt"), 1280, 800);
  window.session().apply(model::command("lessons.open", fileOf("9-access-patterns")));
  for (const bool presents : {false, true}) {
    if (presents) ui::togglePresentation(window.ui());
    makeFrames(window);
    EXPECT_TRUE(has(listingOf(window), "__global__void"))
        << (presents ? "presented" : "at the desk");
  }
  const gfx::Box source = window.ui().boxOf("source");
  window.session().apply(model::command("lessons.reveal"));
  makeFrames(window);
  EXPECT_GT(source.height, 0);
  EXPECT_GT(window.ui().boxOf("sectors").height, source.height / 2) << "the stage is back";
}

TEST(LessonCards, AnUnrelatedSceneIsCoveredDuringAPrediction) {
  HeadlessWindow window(options("simt"), 1280, 800);
  makeFrames(window);
  ASSERT_NE(listingOf(window), "");
  window.session().apply(model::command("labs.open", "access_patterns"));
  makeFrames(window);
  ASSERT_TRUE(window.session().snapshot()->view<features::LabsView>().predicting);
  EXPECT_FALSE(has(listingOf(window), "__global__"));
  const model::Lab& lab = *window.session().snapshot()->view<features::LabsView>().openLab();
  for (const std::string& choice : lab.prediction.choices)
    expectDrawn(window, choice, "a choice of the prediction");
  expectDrawn(window, "Without a prediction", "a button");
}

TEST(LessonCards, ALessonDoesNotMentionUnrecordedTimes) {
  HeadlessWindow window(options("auto"), 1920, 1080);
  window.session().apply(model::command("lessons.open", fileOf("9-access-patterns")));
  ASSERT_TRUE(window.settle([](const std::string&) { return true; }));
  window.session().apply(model::command("lessons.reveal"));
  ASSERT_TRUE(window.settle([](const std::string&) { return true; }));
  const auto now = window.session().snapshot();
  ASSERT_FALSE(now->recordedOn.empty()) << "a recording is used";
  for (const model::Notice& notice : now->notices) ADD_FAILURE() << notice.text;
  const auto& board = now->view<features::SpeedBoardView>();
  EXPECT_EQ(board.instead, "");
  EXPECT_NE(board.speed, "");
  EXPECT_TRUE(board.timedAt.starts_with("timed at n = 16,777,216, BLOCK 256")) << board.timedAt;
}

TEST(LessonCards, APlayedLessonWaitsForTheRecordingThatTheWindowChooses) {
  HeadlessWindow window(options("auto"), 1920, 1080);
  window.session().apply(model::command("lessons.open", fileOf("12-timing")));
  constexpr double kPatienceSeconds = 900;  // By the window's clock; it only ends a failure.
  features::LessonScript script(kPatienceSeconds);
  for (bool taken = false; !taken;) {
    const bool still = !window.frame() && window.isQuiet();
    taken = script.advance(window.session(), still, window.now());
  }
  EXPECT_EQ(script.trouble(), "");
  const auto& timing = window.session().snapshot()->view<features::TimingView>();
  ASSERT_FALSE(timing.rows.empty());
  for (const features::TimingRow& row : timing.rows) EXPECT_FALSE(row.ways.empty()) << row.gap;
}

TEST(LessonCards, TheTimesOfALabAreAtTheEndOfItsLesson) {
  HeadlessWindow window(options("auto"), 1920, 1080);
  window.frame();
  window.session().apply(model::command("labs.open", "divergence"));
  window.frame();
  window.session().apply(model::command("labs.skip"));
  window.frame();
  window.ui().density = model::Density::lesson;
  const size_t last = lessonOf(window).lesson->steps.size() - 1;
  window.session().apply(model::command("lessons.step", last));
  window.frame();
  window.session().apply(model::command("lessons.reveal"));
  ASSERT_TRUE(window.settle([](const std::string&) { return true; }));
  for (const bool presents : {false, true}) {
    if (presents) ui::togglePresentation(window.ui());
    makeFrames(window);
    for (int i = 0; i < 12 && window.ui().card.rest > 0; ++i) {
      window.key("pagedown");
      window.frame();
      window.frame();
    }
    expectDrawn(window, "measured", presents ? "in the presentation" : "in the lesson's density");
  }
}

}  // namespace tilestep::tests::lesson_card_test
