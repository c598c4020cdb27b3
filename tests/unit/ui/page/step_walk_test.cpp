// SPDX-License-Identifier: Apache-2.0
#include "ui/page/step_walk.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "features/lessons/view.h"
#include "gfx/drawing/frame_drawing.h"
#include "support/html_page.h"
#include "support/results.h"
#include "support/service.h"
#include "support/skips.h"
#include "support/tool.h"
#include "ui/page/page_recorder.h"
#include "ui/page/scene_script.h"
#include "ui/shell/saving/step_pictures.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui::step_walk_test {

namespace fs = std::filesystem;
using support::HtmlPage;

constexpr const char* kLesson = R"(# Two <steps>

## First & foremost

```toml
kernel = "matmul_naive"
size = 8

[ask]
question = "How many?"
answer = 4711
```

Text with **bold** <b>and</b> `code`.

---

It is 4711.

## Then

```toml
kernel = "matmul_tiled"
step = 2
stage = "roofline"

[ask]
question = "Which?"
choices = ["this", "that"]
answer = 2
```

More text.
)";

class StepWalkTest : public NullWindow {
 protected:
  void SetUp() override { connect(); }

  /// Runs at most `most` iterations of the window's loop.
  model::Notice walk(StepWalk& walk, int most = 400) {
    ui.pageProgress.shown = true;
    for (int i = 0; i < most && !walk.ended(); ++i) {
      log->answerRuns();
      draw();
      walk.advance(*session, ui, true, now);
    }
    EXPECT_TRUE(walk.ended());
    const model::Notice notice = walk.finish(*session, ui);
    for (int i = 0; i < 5; ++i) {
      log->answerRuns();
      draw();
    }
    return notice;
  }
  StepWalk begin(const std::string& name = "page.html") {
    return {*session, ui,
            PageRecorder::make(FontFiles(), folder.path(name), support::sourceRoot()).value()};
  }
  HtmlPage written() {
    const Result<std::string> text = readTextFile(folder.path("page.html"), size_t{64} << 20);
    EXPECT_TRUE(text);
    HtmlPage page = support::readHtml(text ? *text : "");
    EXPECT_EQ(page.problem, "");
    EXPECT_EQ(page.dangers(), std::vector<std::string>());
    return page;
  }

  const support::TemporaryFolder folder{"page"};
};

TEST_F(StepWalkTest, TheScenesStepsBecomeAPageAndTheWindowIsRestored) {
  session->apply(model::command("steps.go", 2));
  draw();
  const auto before = session->snapshot();
  ASSERT_EQ(before->position.index, 2U);
  StepWalk going = begin();
  const model::Notice notice = walk(going);
  EXPECT_EQ(notice.kind, model::Notice::Kind::info) << notice.text;
  const auto after = session->snapshot();
  EXPECT_EQ(after->position.index, 2U);
  EXPECT_EQ(after->position.grain, before->position.grain);
  EXPECT_EQ(after->choice, before->choice);
  EXPECT_EQ(after->canUndo, before->canUndo);
  EXPECT_TRUE(ui.motion);
  EXPECT_FALSE(ui.pageProgress.shown);
  const HtmlPage page = written();
  EXPECT_EQ(page.with("class", "step").size(), before->position.size);
  EXPECT_EQ(page.with("role", "img").size(), before->position.size * (before->companion ? 2 : 1));
  EXPECT_TRUE(has(page.text, before->sentence)) << "the page has the window's sentence";
  EXPECT_TRUE(has(notice.text, std::to_string(before->position.size) + " steps"));
}

TEST_F(StepWalkTest, ALessonBecomesAPageAndItsStepAndVerdictAreRestored) {
  session->apply(model::command("lessons.open", folder.write("two.md", kLesson)));
  draw();
  session->apply(model::command("lessons.answer", 1.0));
  draw();
  ui.stage = Stage::live;
  draw();
  const auto before = session->snapshot();
  ASSERT_EQ(before->view<features::LessonsView>().lesson->verdict,
            "Not quite. 1 is too small: less than a tenth of the answer.");
  StepWalk going = begin();
  const model::Notice notice = walk(going);
  EXPECT_EQ(notice.kind, model::Notice::Kind::info) << notice.text;
  const auto after = session->snapshot();
  const features::LessonView& lesson = *after->view<features::LessonsView>().lesson;
  EXPECT_EQ(lesson.index, 0U);
  EXPECT_FALSE(lesson.revealed);
  EXPECT_EQ(lesson.verdict, "Not quite. 1 is too small: less than a tenth of the answer.");
  EXPECT_EQ(after->choice, before->choice);
  EXPECT_EQ(ui.stage, Stage::live);
  const HtmlPage page = written();
  EXPECT_EQ(page.with("class", "step").size(), 2U);
  EXPECT_FALSE(has(page.text, "4711")) << "the answer is readable too early";
  for (const char* text : {"Two <steps>", "First & foremost", "<b>and</b>", "More text."})
    EXPECT_TRUE(has(page.text, text)) << text;
  EXPECT_EQ(page.with("data-choice", "1").size(), 1U) << "only one question has choices";
  EXPECT_EQ(page.with("role", "img").size(), 1U)
      << "only the scene: the question is about the roofline";
}

TEST_F(StepWalkTest, AStoppedWalkWritesNothingAndReturns) {
  session->apply(model::command("steps.go", 1));
  draw();
  StepWalk going = begin();
  for (int i = 0; i < 6; ++i) {
    draw();
    going.advance(*session, ui, true, now);
  }
  going.stop();
  const model::Notice notice = walk(going);
  EXPECT_TRUE(has(notice.text, "stopped"));
  EXPECT_FALSE(fs::exists(folder.path("page.html")));
  EXPECT_EQ(session->snapshot()->position.index, 1U);
}

TEST_F(StepWalkTest, EachStepBecomesANumberedPictureInANewFolder) {
  const PictureTools tools{{}, support::sourceRoot()};
  Result<std::unique_ptr<StepRecorder>> recorder =
      StepPictures::make(SaveAs::stepSvgs, folder.path("steps"), {true, "2026-01-02"}, tools);
  ASSERT_TRUE(recorder);
  EXPECT_FALSE(StepPictures::make(SaveAs::stepSvgs, folder.path("steps"), {}, tools))
      << "the folder already exists";
  StepWalk going(*session, ui, std::move(*recorder));
  EXPECT_EQ(ui.pageProgress.what, "folder of pictures");
  const model::Notice notice = walk(going);
  EXPECT_EQ(notice.kind, model::Notice::Kind::info) << notice.text;
  const size_t steps = session->snapshot()->position.size;
  ASSERT_GT(steps, 1U);
  for (size_t i = 1; i <= steps; ++i) {
    const Result<std::string> svg =
        readTextFile(folder.path("steps/0" + std::to_string(i) + ".svg"));
    ASSERT_TRUE(svg) << i;
    EXPECT_NE(svg->find("2026-01-02"), std::string::npos);
  }
  EXPECT_NE(*readTextFile(folder.path("steps/01.svg")), *readTextFile(folder.path("steps/02.svg")));
  EXPECT_FALSE(fs::exists(folder.path("steps/0" + std::to_string(steps + 1) + ".svg")));
}

class Failing : public StepRecorder {
 public:
  Failing(std::unique_ptr<StepRecorder> recorder, size_t steps)
      : recorder_(std::move(recorder)), steps_(steps) {}
  Status add(const model::Snapshot& now, model::Session& session, const UiState& ui) override {
    return size() == steps_ ? workError("The disk is full") : recorder_->add(now, session, ui);
  }
  [[nodiscard]] size_t size() const override { return recorder_->size(); }
  void note(std::string text) override { recorder_->note(std::move(text)); }
  [[nodiscard]] Status finish() override { return recorder_->finish(); }
  void discard() override { recorder_->discard(); }
  [[nodiscard]] std::string name() const override { return recorder_->name(); }
  [[nodiscard]] const fs::path& path() const override { return recorder_->path(); }

 private:
  std::unique_ptr<StepRecorder> recorder_;
  size_t steps_;
};

TEST_F(StepWalkTest, NoFolderRemainsWithoutSteps) {
  Result<std::unique_ptr<StepRecorder>> recorder =
      StepPictures::make(SaveAs::stepSvgs, folder.path("steps"), {}, {{}, support::sourceRoot()});
  ASSERT_TRUE(recorder);
  ASSERT_TRUE(fs::exists(folder.path("steps")));
  StepWalk going(*session, ui, std::make_unique<Failing>(std::move(*recorder), 0));
  const model::Notice notice = walk(going);
  EXPECT_EQ(notice.kind, model::Notice::Kind::error);
  EXPECT_EQ(notice.text, "No folder of pictures was written. The disk is full.");
  EXPECT_FALSE(fs::exists(folder.path("steps")));
}

TEST_F(StepWalkTest, MissingStepsAreExplained) {
  Result<std::unique_ptr<StepRecorder>> recorder =
      StepPictures::make(SaveAs::stepSvgs, folder.path("steps"), {}, {{}, support::sourceRoot()});
  ASSERT_TRUE(recorder);
  StepWalk going(*session, ui, std::make_unique<Failing>(std::move(*recorder), 1));
  const model::Notice notice = walk(going);
  EXPECT_EQ(notice.kind, model::Notice::Kind::warning);
  EXPECT_TRUE(notice.text.ends_with(", with 1 step. The disk is full.")) << notice.text;
  EXPECT_TRUE(fs::exists(folder.path("steps/01.svg")));
}

TEST_F(StepWalkTest, TheNoticeAndTheFirstPageReportOmittedSteps) {
  const FontFiles files = findFontFiles();
  if (!isDrawable(files.text) || !isDrawable(files.mono))
    GTEST_SKIP() << support::because(support::kNoFonts, "a PDF embeds what it is set in");
  session->apply(model::command("choice.scene_size", "n", 64));
  session->apply(model::command("steps.grain", trace::StepGranularity::event));
  // Long traces are divided into steps on another thread. The limit ends only a failing test.
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (session->snapshot()->position.size <= SceneScript::kMost &&
         std::chrono::steady_clock::now() < limit) {
    draw();
    log->answerRuns();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  draw();
  const size_t steps = session->snapshot()->position.size;
  ASSERT_GT(steps, SceneScript::kMost);
  Result<std::unique_ptr<StepRecorder>> recorder =
      StepPages::make(folder.path("steps.pdf"), {}, {files, support::sourceRoot()});
  ASSERT_TRUE(recorder);
  StepWalk going(*session, ui, std::move(*recorder));
  const model::Notice notice = walk(going);
  const std::string cut = "The scene has " + std::to_string(steps) +
                          " steps, of which at most the first 100 are saved.";
  EXPECT_TRUE(has(notice.text, cut));
  const auto pageText = [&](const std::string& page) {
    return support::Running({"pdftotext", "-f", page, "-l", page, folder.path("steps.pdf"), "-"})
        .wait();
  };
  const support::Finished first = pageText("1");
  if (first.status == 127) GTEST_SKIP() << support::because(support::kNoPdfReader);
  EXPECT_TRUE(has(first.out, cut));
  EXPECT_FALSE(has(pageText("2").out, "at most the first"));
}

TEST_F(StepWalkTest, APdfHasAPageForEachStep) {
  const FontFiles files = findFontFiles();
  if (!isDrawable(files.text) || !isDrawable(files.mono))
    GTEST_SKIP() << support::because(support::kNoFonts, "a PDF embeds what it is set in");
  Result<std::unique_ptr<StepRecorder>> recorder =
      StepPages::make(folder.path("steps.pdf"), {}, {files, support::sourceRoot()});
  ASSERT_TRUE(recorder);
  StepWalk going(*session, ui, std::move(*recorder));
  const model::Notice notice = walk(going);
  EXPECT_EQ(notice.kind, model::Notice::Kind::info) << notice.text;
  const support::Finished told = support::Running({"pdfinfo", folder.path("steps.pdf")}).wait();
  if (told.status == 127) GTEST_SKIP() << support::because(support::kNoPdfReader);
  const std::string pages =
      "Pages:           " + std::to_string(session->snapshot()->position.size);
  EXPECT_TRUE(has(told.out, pages + "\n"));
}

}  // namespace tilestep::ui::step_walk_test
