// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saved_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "features/registry.h"
#include "support/results.h"
#include "support/service.h"
#include "support/source_root.h"
#include "ui/shell/appearances.h"
#include "ui/shell/layout.h"
#include "unit/model/fake_client.h"

namespace tilestep::ui::saved_file_test {

namespace fs = std::filesystem;

class SavedFileTest : public ::testing::Test {
 protected:
  const support::TemporaryFolder folder{"saved"};
  const std::string path = folder.path("window.toml");
};

model::SessionOptions homeOptions() {
  model::SessionOptions options;
  options.home = support::sourceRoot();
  return options;
}

TEST_F(SavedFileTest, TheNextWindowResumesTheState) {
  auto log = std::make_shared<model::FakeClient::Log>();
  double now = 0;
  const auto settle = [&](model::Session& session) {
    session.connect(std::make_unique<model::FakeClient>(log));
    for (int i = 0; i < 8; ++i) {
      session.poll(now += 0.1);
      log->answerRuns();
    }
    session.poll(now += 0.1);
  };
  {
    model::Session session(homeOptions(), features::makeFeatures());
    UiState ui;
    session.apply(model::command("tuning.set", "TILE_WIDTH", 2));
    settle(session);
    session.apply(model::command("steps.go", 3));
    session.apply(model::command("choice.block", Dim3{1, 1, 0}));
    ui.theme = Theme::light;
    ui.scale = 1.25F;
    togglePanel(ui, Panel::source);
    ui.camera.zoomAt({10, 10}, 3);
    ui.cameraMoved = true;
    togglePresentation(ui);
    model::Saved saved = session.saved();
    addWindow(saved, ui);
    SavedFile file(path);
    EXPECT_TRUE(file.keep(saved));
  }
  SavedFile file(path);
  model::SessionOptions options = homeOptions();
  options.saved = file.load();
  ASSERT_TRUE(options.saved);
  EXPECT_FALSE(file.notice());
  model::Session session(options, features::makeFeatures());
  UiState ui;
  restoreWindow(ui, *options.saved);
  settle(session);
  EXPECT_EQ(session.snapshot()->tunables.at("TILE_WIDTH"), 2);
  EXPECT_EQ(session.snapshot()->choice.block, (Dim3{1, 1, 0}));
  EXPECT_EQ(session.snapshot()->position.index, 3U);
  EXPECT_FALSE(session.snapshot()->canUndo);
  EXPECT_TRUE(ui.presenting);
  EXPECT_EQ(ui.theme, Theme::highContrast);
  togglePresentation(ui);
  EXPECT_EQ(ui.theme, Theme::light);
  EXPECT_EQ(ui.scale, 1.25F);
  EXPECT_FALSE(ui.panels[static_cast<size_t>(Panel::source)].wanted);
  EXPECT_TRUE(ui.cameraMoved);
  EXPECT_NEAR(ui.camera.zoom(), 3, 1e-5);
}

TEST_F(SavedFileTest, ADamagedFileIsSetAsideAndItsLineReported) {
  for (int i = 1; i <= 2; ++i) {
    folder.write("window.toml", "version = 1\n[window.desk]\nscale = \"big\"\n");
    SavedFile file(path);
    EXPECT_FALSE(file.load());
    ASSERT_TRUE(file.notice());
    EXPECT_TRUE(has(file.notice()->text, "scale must be a number from 0 to 3"));
    EXPECT_EQ(file.notice()->source, path + ":3\nscale = \"big\"");
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(fs::exists(folder.path("window.damaged-" + std::to_string(i) + ".toml")));
    EXPECT_TRUE(file.keep(model::Saved{}));  // A new file replaces it.
    EXPECT_TRUE(SavedFile(path).load());
  }
}

TEST_F(SavedFileTest, TwoWindowsMergeTheirProgress) {
  const auto finished = [](size_t step) {
    model::LessonProgress progress;
    progress.step = step;
    progress.finished = true;
    return progress;
  };
  model::Saved start;
  start.place.lessons["1-a"] = model::LessonProgress{};
  ASSERT_TRUE(SavedFile(path).keep(start));
  SavedFile first(path), second(path);
  model::Saved one = first.load().value(), two = second.load().value();
  one.place.lessons["1-a"] = finished(3);
  one.place.exercises["sum"] = true;
  one.place.predictions["lab"] = 2;
  two.place.lessons["2-b"] = finished(1);
  two.place.exercises["copy"] = false;
  two.place.speed = 2;
  ASSERT_TRUE(first.keep(one));
  ASSERT_TRUE(second.keep(two));
  one.place.scene.step = 5;
  ASSERT_TRUE(first.keep(one)) << "this window has not seen the other window's lesson";
  const std::optional<model::Saved> there = SavedFile(path).load();
  ASSERT_TRUE(there);
  EXPECT_EQ(there->place.lessons.at("1-a"), finished(3));
  EXPECT_EQ(there->place.lessons.at("2-b"), finished(1));
  EXPECT_EQ(there->place.exercises, (std::map<std::string, bool>{{"sum", true}, {"copy", false}}));
  EXPECT_EQ(there->place.predictions.at("lab"), 2);
  EXPECT_EQ(there->place.scene.step, 5U) << "the last window determines what is shown";
  EXPECT_EQ(there->place.speed, one.place.speed);
}

TEST_F(SavedFileTest, ALessonFinishedInOneWindowStaysFinishedWhenAnotherShowsIt) {
  model::Saved start;
  start.place.lessons["1-a"].answers = {{"first", true}, {"again", true}};
  ASSERT_TRUE(SavedFile(path).keep(start));
  SavedFile first(path), second(path);
  model::Saved one = first.load().value(), two = second.load().value();
  one.place.lessons["1-a"].finished = true;
  one.place.lessons["1-a"].step = 9;
  one.place.lessons["1-a"].answers["last"] = true;
  one.place.exercises["sum"] = true;
  ASSERT_TRUE(first.keep(one));
  two.place.lessons["1-a"].step = 1;
  two.place.lessons["1-a"].answers.erase("again");
  two.place.exercises["sum"] = false;  // The exercise was opened here, but not passed.
  ASSERT_TRUE(second.keep(two));
  const std::optional<model::Saved> there = SavedFile(path).load();
  ASSERT_TRUE(there);
  const model::LessonProgress& lesson = there->place.lessons.at("1-a");
  EXPECT_TRUE(lesson.finished);
  EXPECT_EQ(lesson.step, 1U) << "the last window determines the step";
  EXPECT_EQ(lesson.answers, (std::map<std::string, bool>{{"first", true}, {"last", true}}))
      << "entries that this window removes stay removed";
  EXPECT_TRUE(there->place.exercises.at("sum"));
}

TEST_F(SavedFileTest, AnUnreadableStateIsReducedToItsProgress) {
  model::Saved start;
  start.place.lessons["1-a"].finished = true;
  start.place.predictions["lab"] = 2;
  start.choice.looks.desk.scale = 2;
  const std::vector<std::function<void(model::Saved&)>> hostile = {
      [](model::Saved& saved) { saved.choice.scene.values["m"] = int64_t{1} << 62; },
      [](model::Saved& saved) { saved.choice.tunables["k"]["BLOCK_X"] = int64_t{1} << 62; },
      [](model::Saved& saved) { saved.choice.scene.values[std::string("a\0b", 3)] = 1; },
      [](model::Saved& saved) { saved.choice.kernel = std::string(6000, 'k'); },
      [](model::Saved& saved) {
        for (int i = 0; i < 400; ++i) saved.choice.tunables["k"]["T" + std::to_string(i)] = 1;
      }};
  for (const auto& change : hostile) {
    fs::remove(path);
    SavedFile file(path);
    ASSERT_TRUE(file.keep(start));
    model::Saved later = start;
    later.place.exercises["sum"] = true;
    change(later);
    ASSERT_TRUE(file.keep(later));
    SavedFile next(path);
    const std::optional<model::Saved> there = next.load();
    ASSERT_TRUE(there) << (next.notice() ? next.notice()->text : "");
    EXPECT_EQ(there->place.lessons, later.place.lessons);
    EXPECT_EQ(there->place.predictions, later.place.predictions);
    EXPECT_EQ(there->place.exercises, later.place.exercises);
    EXPECT_EQ(there->choice.looks, later.choice.looks);
  }
}

TEST_F(SavedFileTest, TooManyLessonsAreReportedWithoutLoss) {
  model::Saved all;
  for (int i = 0; i < 256; ++i) all.place.lessons["lesson-" + std::to_string(i)].finished = true;
  SavedFile file(path);
  ASSERT_TRUE(file.keep(all));
  all.place.lessons["one-more"].finished = true;
  EXPECT_TRUE(fails(file.keep(all), "would become too large"));
  const std::optional<model::Saved> there = SavedFile(path).load();
  ASSERT_TRUE(there);
  EXPECT_EQ(there->place.lessons.size(), 256U);
}

TEST_F(SavedFileTest, AFolderIsAnErrorButAMissingFileIsNot) {
  SavedFile none(path);
  EXPECT_FALSE(none.load());
  EXPECT_FALSE(none.notice());
  fs::create_directory(path);
  SavedFile file(path);
  EXPECT_FALSE(file.load());
  EXPECT_TRUE(file.notice());
}

TEST_F(SavedFileTest, AFailedWriteIsReportedOnce) {
  folder.write("file", "in the way");
  SavedFile file(folder.path("file/window.toml"));
  EXPECT_FALSE(file.keep(model::Saved{}));
  model::Saved changed;
  changed.place.scene.step = 2;
  EXPECT_TRUE(file.keep(changed));  // No further attempt is made.
}

TEST_F(SavedFileTest, AKernelOnTheCommandLineKeepsOnlyTheAppearance) {
  model::Saved saved;
  saved.choice.kernel = "matmul_naive";
  saved.choice.device = "simt";
  saved.choice.looks.desk.theme = Theme::light;
  model::SessionOptions options = homeOptions();
  options.saved = saved;
  EXPECT_EQ(model::Session(options, features::makeFeatures()).snapshot()->choice.kernel,
            "matmul_naive");
  options.kernel = "matmul_tiled";
  const model::Session session(options, features::makeFeatures());
  EXPECT_EQ(session.snapshot()->choice.kernel, "matmul_tiled");
  EXPECT_EQ(session.looks().desk.theme, Theme::light);
}

}  // namespace tilestep::ui::saved_file_test
