// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/played_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "gfx/drawing/frame_drawing.h"
#include "support/results.h"
#include "support/service.h"
#include "support/skips.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui::played_files_test {

class PlayedFilesTest : public NullWindow {
 protected:
  void SetUp() override {
    connect();
    draw();
    options.home = support::sourceRoot();
  }
  Status addStep(PlayedFiles& files) { return files.add(*session->snapshot(), *session, ui); }

  support::TemporaryFolder folder{"played"};
  WindowOptions options;
};

TEST_F(PlayedFilesTest, APdfWithoutFontsIsRefusedBeforeAStepIsPlayed) {
  options.pdfFile = folder.path("a.pdf");
  const Result<PlayedFiles> files = PlayedFiles::make(options, {});
  EXPECT_TRUE(fails(files, "needs installed fonts"));
}

TEST_F(PlayedFilesTest, AWebPageWithoutItsStyleIsRefusedBeforeAStepIsPlayed) {
  options.pageFile = folder.path("a.html");
  options.home = folder.path("nowhere");
  const Result<PlayedFiles> files = PlayedFiles::make(options, {});
  EXPECT_TRUE(fails(files, "page.css"));
}

TEST_F(PlayedFilesTest, EachFailedWriteIsReported) {
  const FontFiles files = findFontFiles();
  if (!isDrawable(files.text) || !isDrawable(files.mono))
    GTEST_SKIP() << support::because(support::kNoFonts, "a PDF embeds what it is set in");
  folder.write("file", "This is no folder.");
  options.pageFile = folder.path("file/a.html");
  options.pdfFile = folder.path("file/a.pdf");
  Result<PlayedFiles> played = PlayedFiles::make(options, files);
  ASSERT_TRUE(played);
  ASSERT_TRUE(addStep(*played));
  const std::vector<std::string> trouble = played->finish();
  ASSERT_EQ(trouble.size(), 2U);
  EXPECT_TRUE(has(trouble[0], "a.html"));
  EXPECT_TRUE(has(trouble[1], "a.pdf"));
}

TEST_F(PlayedFilesTest, TheFilesThatTheOptionsNameAreWritten) {
  options.pageFile = folder.path("a.html");
  Result<PlayedFiles> files = PlayedFiles::make(options, {});
  ASSERT_TRUE(files);
  ASSERT_TRUE(addStep(*files));
  EXPECT_TRUE(files->finish().empty());
  EXPECT_FALSE(folder.read("a.html").empty());
  EXPECT_FALSE(std::filesystem::exists(folder.path("a.pdf")));
}

TEST_F(PlayedFilesTest, WithoutAStepNoFileIsWritten) {
  options.pageFile = folder.path("a.html");
  Result<PlayedFiles> files = PlayedFiles::make(options, {});
  ASSERT_TRUE(files);
  EXPECT_TRUE(files->finish().empty());
  EXPECT_FALSE(std::filesystem::exists(options.pageFile));
}

}  // namespace tilestep::ui::played_files_test
