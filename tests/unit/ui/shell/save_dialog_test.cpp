// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/save_dialog.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files.h"
#include "support/results.h"
#include "support/service.h"
#include "ui/shell/keys.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui::save_dialog_test {

namespace fs = std::filesystem;

class SaveDialogTest : public NullWindow {
 protected:
  void SetUp() override { connect(); }
  void press(gfx::Key key, bool control = false) {
    handleKeys({{.key = key, .control = control}}, *session, ui, ui.save.open, false);
  }
  std::string path(const std::string& name) const { return folder.path(name); }

  support::TemporaryFolder folder{"save"};
};

TEST_F(SaveDialogTest, AViewIsChosenAndSavedWithOnlyKeys) {
  press(gfx::keyOf('S'), true);
  ASSERT_TRUE(ui.save.open);
  EXPECT_EQ(ui.save.path, "tilestep-scene-matmul_tiled-step-1-1.png") << "what is on screen";
  press(gfx::Key::down);
  EXPECT_EQ(ui.save.path, "tilestep-scene-matmul_tiled-step-1-1.csv") << "then its table";
  for (size_t i = 0; i < session->snapshot()->tables.size() && ui.save.view != "steps"; ++i)
    press(gfx::Key::up);
  ASSERT_EQ(ui.save.view, "steps");
  EXPECT_TRUE(has(ui.save.path, "tilestep-steps-matmul_tiled-1.csv"));
  press(gfx::keyOf('K'), true);
  EXPECT_TRUE(ui.save.path.ends_with("tilestep-steps-matmul_tiled-1.txt"));
  ui.save.path = path("steps.csv");
  press(gfx::Key::enter);
  EXPECT_FALSE(ui.save.open) << ui.save.trouble;
  const auto text = readTextFile(path("steps.csv"));
  ASSERT_TRUE(text);
  EXPECT_TRUE(text->starts_with("step,phase,"));
  EXPECT_EQ(session->snapshot()->position.index, 0U);  // Only the dialogue received the keys.
}

TEST_F(SaveDialogTest, AnExistingFileIsReplacedOnlyAfterASecondRequest) {
  folder.write("a.txt", "mine");
  toggleSaveDialog(ui, *session->snapshot());
  ui.save.path = path("a.txt");
  saveView(ui, *session);
  EXPECT_TRUE(ui.save.open);
  EXPECT_EQ(*readTextFile(path("a.txt")), "mine");
  saveView(ui, *session);
  EXPECT_FALSE(ui.save.open);
  EXPECT_NE(*readTextFile(path("a.txt")), "mine");
}

TEST_F(SaveDialogTest, AFailedWriteIsExplainedAndTheDialogueStaysOpen) {
  toggleSaveDialog(ui, *session->snapshot());
  for (const std::string& name : {std::string("/dev/full/a.csv"), path("none.doc")}) {
    ui.save.path = name;
    saveView(ui, *session);
    EXPECT_TRUE(ui.save.open);
    EXPECT_FALSE(ui.save.trouble.empty());
  }
  folder.write("file", "in the way");
  ui.save.path = path("file/a.csv");
  saveView(ui, *session);
  EXPECT_TRUE(has(ui.save.trouble, "Not a directory", "Name a writable folder"));
}

TEST_F(SaveDialogTest, ItBeginsWithAPictureOfTheShownView) {
  ui.stage = Stage::roofline;
  toggleSaveDialog(ui, *session->snapshot());
  EXPECT_EQ(ui.save.view, "roofline");
  EXPECT_EQ(ui.save.path, "tilestep-roofline-matmul_tiled-1.png");
  ui.save.path = path("a.png");
  saveView(ui, *session);
  EXPECT_FALSE(ui.save.open) << ui.save.trouble;
  ASSERT_TRUE(ui.wish);
  EXPECT_EQ(ui.wish->as, SaveAs::png);
  EXPECT_EQ(ui.wish->view, "roofline");
  EXPECT_FALSE(ui.wish->print);
}

TEST_F(SaveDialogTest, PicturesMayHaveDoubleSizeAndPrintColours) {
  toggleSaveDialog(ui, *session->snapshot());
  press(gfx::keyOf('K'), true);
  EXPECT_TRUE(ui.save.path.ends_with("-2x-1.png")) << ui.save.path;
  press(gfx::keyOf('P'), true);
  EXPECT_TRUE(ui.save.path.ends_with("-print-2x-1.png")) << ui.save.path;
  ui.save.path = path("a.png");
  saveView(ui, *session);
  ASSERT_TRUE(ui.wish);
  EXPECT_EQ(ui.wish->as, SaveAs::doublePng);
  EXPECT_TRUE(ui.wish->print);
}

TEST_F(SaveDialogTest, TheTypedExtensionDeterminesTheKind) {
  toggleSaveDialog(ui, *session->snapshot());
  ui.save.path = path("a.pdf");
  saveView(ui, *session);
  ASSERT_TRUE(ui.wish);
  EXPECT_EQ(ui.wish->as, SaveAs::pdf);
}

TEST_F(SaveDialogTest, PicturesOfStepsNeedANewFolder) {
  toggleSaveDialog(ui, *session->snapshot());
  chooseFileKind(ui, *session->snapshot(), SaveAs::stepPngs);
  EXPECT_EQ(ui.save.path, "tilestep-steps-matmul_tiled-1");
  ui.save.path = folder.path();
  saveView(ui, *session);
  saveView(ui, *session);
  EXPECT_TRUE(ui.save.open);
  EXPECT_TRUE(has(ui.save.trouble, "new folder"));
  EXPECT_FALSE(ui.wish);
  ui.save.path = path("steps");
  saveView(ui, *session);
  ASSERT_TRUE(ui.wish);
  EXPECT_EQ(ui.wish->as, SaveAs::stepPngs);
}

TEST_F(SaveDialogTest, AFoldersNameMayHaveADot) {
  toggleSaveDialog(ui, *session->snapshot());
  chooseFileKind(ui, *session->snapshot(), SaveAs::stepPngs);
  ui.save.path = path("run.v2");
  ui.save.typed = true;
  saveView(ui, *session);
  EXPECT_EQ(ui.save.trouble, "");
  ASSERT_TRUE(ui.wish);
  EXPECT_EQ(ui.wish->as, SaveAs::stepPngs);
  EXPECT_EQ(ui.wish->path, path("run.v2"));
}

TEST_F(SaveDialogTest, AnotherKindReplacesOnlyTheExtensionOfATypedName) {
  toggleSaveDialog(ui, *session->snapshot());
  ui.save.path = path("run.v2.png");
  ui.save.typed = true;
  chooseFileKind(ui, *session->snapshot(), SaveAs::stepSvgs);
  EXPECT_EQ(ui.save.path, path("run.v2"));
  chooseFileKind(ui, *session->snapshot(), SaveAs::stepPngs);
  EXPECT_EQ(ui.save.path, path("run.v2"));
  chooseFileKind(ui, *session->snapshot(), SaveAs::stepPdf);
  EXPECT_EQ(ui.save.path, path("run.v2.pdf"));
}

TEST_F(SaveDialogTest, APictureOfATableIsRefused) {
  toggleSaveDialog(ui, *session->snapshot());
  for (const char* view : {"steps", "tiles"}) {
    chooseSavedView(ui, *session->snapshot(), view);
    ui.save.path = path("a.png");
    saveView(ui, *session);
    EXPECT_TRUE(has(ui.save.trouble, "only a table"));
    EXPECT_FALSE(ui.wish);
  }
  for (const char* view : {"threads", "occupancy"}) {
    chooseSavedView(ui, *session->snapshot(), view);
    ui.save.path = path("a.png");
    saveView(ui, *session);
    EXPECT_EQ(ui.save.trouble, "") << view;
  }
}

TEST_F(SaveDialogTest, APictureOfNothingIsRefused) {
  ui.stage = Stage::live;
  toggleSaveDialog(ui, *session->snapshot());
  ui.save.path = path("a.png");
  saveView(ui, *session);
  EXPECT_TRUE(has(ui.save.trouble, "nothing to save"));
  EXPECT_FALSE(ui.wish);
}

TEST_F(SaveDialogTest, CopyGivesTheText) {
  press(gfx::keyOf('C'), true);
  const char* text = ImGui::GetClipboardText();
  ASSERT_NE(text, nullptr);
  EXPECT_TRUE(has(std::string(text), "Element loads"));
}

TEST_F(SaveDialogTest, AWebPageOfTheStepsAndAReportAreDifferentKinds) {
  toggleSaveDialog(ui, *session->snapshot());
  while (!ui.save.path.ends_with("tilestep-steps-matmul_tiled-1.html"))
    nextFileKind(ui, *session->snapshot());
  nextFileKind(ui, *session->snapshot());
  EXPECT_TRUE(ui.save.path.ends_with("tilestep-report-1.html")) << ui.save.path;
  ui.save.path = path("mine.html");
  saveView(ui, *session);
  ASSERT_TRUE(ui.wish);
  EXPECT_EQ(ui.wish->as, SaveAs::report);
  EXPECT_FALSE(ui.save.open);
}

}  // namespace tilestep::ui::save_dialog_test
