// SPDX-License-Identifier: Apache-2.0
// Every text that the window draws at each lesson's step and in its main views, compared with the
// texts kept in docs/screenshots, for each compiler. `test_window --remake` writes them again.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "features/lessons/panel_script.h"
#include "support/known_fonts.h"
#include "support/skips.h"
#include "support/source_root.h"
#include "support/text_twin.h"
#include "support/toolkit.h"
#include "ui/headless_window.h"
#include "ui/kept_pictures.h"

namespace tilestep::tests {
namespace picture_texts_test {

namespace fs = std::filesystem;
using nlohmann::json;
using support::TextTwin;
using support::TwinsByCompiler;

model::SessionOptions optionsOf(const View* view) {
  model::SessionOptions options;
  options.home = support::sourceRoot();
  options.device = "simt";
  options.tunedFolders = {(fs::path(options.home) / "assets" / "tuned").string()};
  if (view == nullptr) return options;
  options.kernel = view->kernel;
  options.tunables = view->tunables;
  return options;
}

/// A window, or why there is none with that compiler; `skip` is why the test is skipped then.
struct Opened {
  std::unique_ptr<HeadlessWindow> window;
  std::string compiler, why, skip;
};

Opened open(const View* view, const std::string& compiler) {
  Opened opened;
  if (!support::kHasKnownFonts) {
    opened.skip = support::because(support::kNewerImGui, "1.92 makes glyphs as they are drawn");
    return opened;
  }
  opened.window =
      std::make_unique<HeadlessWindow>(optionsOf(view), compiler, kPictureWidth, kPictureHeight);
  opened.compiler = support::twinCompiler(opened.window->compiler());
  const bool absent = opened.compiler.find(" was asked for and ") != std::string::npos;
  if (absent) {
    opened.why = opened.compiler;
    opened.skip = support::skipWithout(compiler);
  }
  return opened;
}

/// NVRTC compiles the rungs with asynchronous copies into PTX that differs by a few loads from one
/// compilation to the next (docs/measurements/nvrtc-repeatability.md), and with it the last cell of
/// their rows in the ladder's table: the predicted gain.
void maskPredictedGains(support::TwinStep& step) {
  static const std::regex kRow(
      R"(^(1\d \| .* \| .* \| .* \| .* \| )(.* times (faster|slower)|as fast)$)");
  for (auto& panel : step.panels)
    for (auto& line : panel.lines)
      line.text = std::regex_replace(line.text, kRow, "$1(of this compilation)");
}

/// The same differences reach the labels of the ribbons from shared memory, the wavefronts in the
/// sentence about the step, and the measures, whose columns are as wide as their numbers. The scene
/// also shows the rung below, so one rung more is masked than varies.
void maskSharedCounts(support::TwinStep& step, const std::string& kernel) {
  static const std::regex kVaries("rung1[0-4]_.*");
  static const std::regex kReads("[0-9,]+ reads$"), kWavefronts("[0-9,]+ wavefronts");
  if (!std::regex_match(kernel, kVaries)) return;
  std::erase_if(step.panels, [](const auto& panel) { return panel.name == "measures"; });
  for (auto& panel : step.panels) {
    if (panel.name != "scene") continue;
    for (auto& line : panel.lines) {
      line.text = std::regex_replace(line.text, kReads, "(reads of this compilation)");
      line.text = std::regex_replace(line.text, kWavefronts, "(wavefronts of this compilation)");
    }
  }
}

/// The status line also says what the worker is doing, which may end at any moment.
void dropStatus(support::TwinStep& step) {
  std::erase_if(step.panels, [](const auto& panel) { return panel.name == "status"; });
}

/// As `tilestep play` goes through a lesson.
TextTwin play(HeadlessWindow& window, const std::string& lesson) {
  TextTwin twin;
  window.session().apply(model::command(
      "lessons.open",
      (fs::path(support::sourceRoot()) / "assets" / "lessons" / (lesson + ".md")).string()));
  constexpr double kPatienceSeconds = 900;  // It only ends a failure.
  ui::LessonScript script(kPatienceSeconds);
  while (!script.ended()) {
    const bool moves = window.frame();
    if (!script.advance(window.session(), !moves && window.isQuiet(), window.now())) continue;
    const std::string name = ui::nameOfStep(*window.session().snapshot());
    window.frame();
    twin.push_back(support::twinOf(name, window.texts()));
    dropStatus(twin.back());
    maskPredictedGains(twin.back());
    maskSharedCounts(twin.back(), window.session().snapshot()->choice.kernel);
    script.taken(window.session(), {});
  }
  EXPECT_EQ(script.trouble(), "");
  return twin;
}

std::string linesOf(const std::vector<std::string>& found) {
  constexpr size_t kMost = 12;
  std::string lines;
  for (size_t i = 0; i < std::min(found.size(), kMost); ++i) lines += "\n  " + found[i];
  if (found.size() > kMost) lines += "\n  and " + std::to_string(found.size() - kMost) + " more";
  return lines;
}

/// Compares with what is kept for the compiler, or keeps it. For a compiler that nothing is kept
/// for: with what all others agree on.
void compareOrKeep(const TextTwin& made, const fs::path& kept, const std::string& compiler) {
  TwinsByCompiler twins = support::readTwins(kept);
  if (remakes()) {
    twins[compiler] = made;
    support::writeTwins(kept, twins);
    for (const auto& [other, twin] : twins)
      if (other != compiler)
        std::printf("%s also has texts of %s: make them again, too, if the window has changed\n",
                    kept.parent_path().filename().c_str(), other.c_str());
    ASSERT_TRUE(support::differences(support::readTwins(kept)[compiler], made).empty());
    return;
  }
  ASSERT_FALSE(twins.empty()) << "no " << kept << ": test_window --remake makes it";
  const bool known = twins.contains(compiler);
  const TextTwin wanted = known ? twins[compiler] : support::agreed(twins);
  const auto found =
      support::differences(wanted, known ? made : support::onlyPanelsOf(wanted, made));
  EXPECT_TRUE(found.empty()) << "with " << compiler << ", " << found.size()
                             << " texts are not those in " << kept << ":" << linesOf(found)
                             << "\nlook at them, then test_window --remake";
  if (!known)
    std::printf("no texts are kept for %s: compared is what the kept compilers agree on\n",
                compiler.c_str());
}

fs::path textsIn(const std::string& folder) {
  return keptFolder() / folder / "texts.txt";
}

using LessonAndCompiler = std::tuple<std::string, std::string>;
class LessonTexts : public testing::TestWithParam<LessonAndCompiler> {};

TEST_P(LessonTexts, AreTheKeptOnes) {
  const auto& [lesson, compiler] = GetParam();
  const Opened opened = open(nullptr, compiler);
  if (!opened.skip.empty()) GTEST_SKIP() << opened.skip;
  ASSERT_EQ(opened.why, "");
  compareOrKeep(play(*opened.window, lesson), textsIn(lesson), opened.compiler);
}

INSTANTIATE_TEST_SUITE_P(Pictures, LessonTexts,
                         testing::Combine(testing::ValuesIn(lessons()),
                                          testing::Values("nvrtc", "clang")),
                         [](const auto& made) {
                           return testName(std::get<0>(made.param) + "_" + std::get<1>(made.param));
                         });

class ViewTexts : public testing::TestWithParam<std::string> {};

TEST_P(ViewTexts, AreTheKeptOnes) {
  TextTwin made;
  std::string compiler;
  for (const View& view : views()) {
    SCOPED_TRACE(view.name);
    const Opened opened = open(&view, GetParam());
    if (!opened.skip.empty()) GTEST_SKIP() << opened.skip;
    ASSERT_EQ(opened.why, "");
    compiler = opened.compiler;
    ASSERT_TRUE(opened.window->settle([](const std::string&) { return true; }));
    for (const std::string& key : view.keys) opened.window->key(key);
    ASSERT_TRUE(opened.window->settle(
        [&](const std::string& state) { return view.shown(json::parse(state)); }));
    made.push_back(support::twinOf(view.name, opened.window->texts()));
    dropStatus(made.back());
  }
  compareOrKeep(made, textsIn("views"), compiler);
}

INSTANTIATE_TEST_SUITE_P(Pictures, ViewTexts, testing::Values("nvrtc", "clang"),
                         [](const auto& made) { return made.param; });

}  // namespace picture_texts_test
}  // namespace tilestep::tests
