// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/saver.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "gfx/drawing/frame_drawing.h"
#include "support/results.h"
#include "support/service.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui::saver_test {

namespace fs = std::filesystem;

class SaverTest : public NullWindow {
 protected:
  void SetUp() override {
    connect();
    draw();
  }
  SaveWish wishFor(SaveAs as, const std::string& name, const std::string& view = "scene") const {
    return {as, folder.path(name), view, false};
  }
  /// Runs the window's loop until `holds` is true.
  template <class Holds>
  void turnUntil(Holds holds) {
    for (int i = 0; i < 400 && !holds(); ++i) {
      log->answerRuns();
      draw();
      saver.advance(true, now);
    }
    EXPECT_TRUE(holds());
  }
  void walkToTheEnd() {
    turnUntil([&] { return !saver.walking(); });
  }
  model::Notice said() {
    draw();
    for (const model::Notice& notice : session->snapshot()->notices)
      if (notice.about == "picture") return notice;
    return {};
  }

  support::TemporaryFolder folder{"saver"};
  Saver saver{[] { return std::string("the window"); }, *session, ui, {{}, support::sourceRoot()}};
};

TEST_F(SaverTest, APictureOfTheWindowIsSavedAndItsPathReported) {
  saver.save(wishFor(SaveAs::window, "a.png"));
  EXPECT_EQ(folder.read("a.png"), "the window");
  EXPECT_EQ(said().text, "Picture saved as " + folder.path("a.png") + ".");
  EXPECT_EQ(said().kind, model::Notice::Kind::info);
}

TEST_F(SaverTest, CancellingRemovesTheFolderAndRestoresTheWindow) {
  session->apply(model::command("steps.go", 2));
  draw();
  saver.save(wishFor(SaveAs::stepSvgs, "steps"));
  turnUntil([&] { return fs::exists(folder.path("steps/01.svg")); });
  ASSERT_TRUE(saver.walking());
  ASSERT_FALSE(ui.motion);
  saver.giveUp();
  EXPECT_FALSE(saver.walking());
  EXPECT_FALSE(fs::exists(folder.path("steps")));
  EXPECT_TRUE(ui.motion);
  EXPECT_EQ(session->saved().place.scene.step, 2U);
  EXPECT_TRUE(has(said().text, "stopped"));
}

TEST_F(SaverTest, ACutPictureGivesAWarning) {
  std::string lesson = "# A\n## one\n";
  for (int i = 1; i <= 400; ++i) lesson += "Paragraph " + std::to_string(i) + ".\n\n";
  folder.write("long.md", lesson);
  session->apply(model::command("lessons.open", folder.path("long.md")));
  draw();
  saver.save(wishFor(SaveAs::svg, "a.svg"));
  EXPECT_EQ(said().kind, model::Notice::Kind::warning);
  EXPECT_TRUE(has(said().text, "a.svg. The picture is cut below"));
  saver.save(wishFor(SaveAs::stepSvgs, "steps"));
  walkToTheEnd();
  EXPECT_EQ(said().kind, model::Notice::Kind::warning);
  EXPECT_TRUE(has(said().text, "The picture of step 1 is incomplete. The picture is cut below"));
}

TEST_F(SaverTest, AFailedWriteSuggestsADifferentFolder) {
  std::ofstream(folder.path("file")) << "in the way";
  const std::string advice = "writable folder with enough free space.";
  for (const SaveAs as : {SaveAs::window, SaveAs::svg, SaveAs::webPage, SaveAs::stepSvgs}) {
    saver.save(wishFor(as, "file/a"));
    walkToTheEnd();
    EXPECT_EQ(said().kind, model::Notice::Kind::error);
    EXPECT_TRUE(has(said().text, "file/a"));
    EXPECT_TRUE(said().text.ends_with(advice)) << said().text;
    EXPECT_FALSE(has(said().text, ".."));
  }
}

TEST_F(SaverTest, AFailureToMakeAPictureDoesNotSuggestADifferentFolder) {
  saver.save(wishFor(SaveAs::svg, "a.svg", "phases"));
  EXPECT_EQ(said().kind, model::Notice::Kind::error);
  EXPECT_TRUE(has(said().text, "show it first"));
  EXPECT_FALSE(has(said().text, "may write to"));
  saver.save(wishFor(SaveAs::pdf, "a.pdf"));
  EXPECT_TRUE(has(said().text, "fonts"));
  EXPECT_FALSE(has(said().text, "may write to"));
}

}  // namespace tilestep::ui::saver_test
