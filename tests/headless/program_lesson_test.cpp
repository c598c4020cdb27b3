// SPDX-License-Identifier: Apache-2.0
// A lesson that opens a program, on a machine that cannot run programs: its text is shown, and the
// reason.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "base/private_folder.h"
#include "features/program/view.h"
#include "support/results.h"
#include "support/source_root.h"
#include "ui/headless_window.h"
#include "ui/page/page_recorder.h"

namespace tilestep::tests::program_lesson_test {

class ProgramLesson : public testing::Test {
 protected:
  void SetUp() override {
    model::SessionOptions options;
    options.home = support::sourceRoot();
    options.device = "simt";
    window = std::make_unique<HeadlessWindow>(options, 1280, 800);
    window->session().apply(model::command(
        "lessons.open", support::sourceRoot() + "/assets/lessons/16-your-own-program.md"));
    ASSERT_TRUE(window->settle([](const std::string&) { return true; }));
  }
  [[nodiscard]] bool draws(const std::string& text) const {
    return std::ranges::any_of(window->texts(), [&](const support::DrawnText& drawn) {
      return drawn.text.find(text) != std::string::npos;
    });
  }
  std::unique_ptr<HeadlessWindow> window;
};

TEST_F(ProgramLesson, ShowsTheTextAndWhyItWasNotRun) {
  EXPECT_TRUE(draws("dot_product.cu"));
  EXPECT_TRUE(draws("dotProduct"));
  EXPECT_TRUE(draws("Programs cannot be run here."));
}

TEST_F(ProgramLesson, ItsWebPageHasTheWholeText) {
  const PrivateFolder folder;
  const auto file = folder.path() / "page.html";
  const auto recorder = ui::PageRecorder::make({}, file, support::sourceRoot()).value();
  ASSERT_TRUE(recorder->add(*window->session().snapshot(), window->session(), window->ui()));
  ASSERT_TRUE(recorder->finish());
  const std::string page = readTextFile(file, size_t{64} << 20).value();
  EXPECT_TRUE(has(page, "<h3>dot_product.cu</h3>"));
  EXPECT_TRUE(has(page, "return result == expected ? 0 : 1;")) << "its last line";
  EXPECT_TRUE(has(page, "Programs cannot be run here."));
}

}  // namespace tilestep::tests::program_lesson_test
