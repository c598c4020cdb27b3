// SPDX-License-Identifier: Apache-2.0
// Compares every text that the window draws at each lesson's step and in its main views with the
// texts stored in docs/screenshots. `test_pictures --remake` writes them again.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "features/lessons/panel_script.h"
#include "support/known_fonts.h"
#include "support/remake.h"
#include "support/source_root.h"
#include "support/text_twin.h"
#include "ui/headless_window.h"
#include "ui/kept_pictures.h"

namespace tilestep::tests::picture_texts_test {

namespace fs = std::filesystem;
using nlohmann::json;
using support::TextTwin;

model::SessionOptions optionsOf(const View* view) {
  model::SessionOptions options;
  options.home = support::sourceRoot();
  options.device = "simt";
  options.shippedTuned = options.home + "/assets/tuned";
  if (view == nullptr) return options;
  options.kernel = view->kernel;
  options.tunables = view->tunables;
  return options;
}

std::unique_ptr<HeadlessWindow> open(const View* view) {
  return std::make_unique<HeadlessWindow>(optionsOf(view), kPictureWidth, kPictureHeight);
}

/// Plays a lesson as `tilestep play` does.
TextTwin play(HeadlessWindow& window, const std::string& lesson) {
  TextTwin twin;
  window.session().apply(model::command(
      "lessons.open",
      (fs::path(support::sourceRoot()) / "assets" / "lessons" / (lesson + ".md")).string()));
  constexpr double kPatienceSeconds = 900;  // By the window's clock; it only ends a failure.
  features::LessonScript script(kPatienceSeconds);
  while (!script.ended()) {
    const bool still = !window.frame() && window.isQuiet();
    if (!script.advance(window.session(), still, window.now())) continue;
    const std::string name = window.session().snapshot()->shown.lessonStepName;
    window.frame();
    twin.push_back(support::twinOf(name, window.texts()));
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

/// Compares the texts with the stored ones, or stores them.
void compareOrKeep(const TextTwin& made, const fs::path& kept) {
  if (support::remakes()) {
    support::writeTwin(kept, made);
    ASSERT_TRUE(support::differences(support::readTwin(kept), made).empty());
    return;
  }
  const TextTwin wanted = support::readTwin(kept);
  ASSERT_FALSE(wanted.empty()) << "no " << kept << ": test_pictures --remake makes it";
  const auto found = support::differences(wanted, made);
  EXPECT_TRUE(found.empty()) << found.size() << " texts are not those in " << kept << ":"
                             << linesOf(found) << "\nlook at them, then test_pictures --remake";
}

fs::path textsIn(const std::string& folder) {
  return keptFolder() / folder / "texts.txt";
}

class LessonTexts : public testing::TestWithParam<std::string> {};

TEST_P(LessonTexts, EqualTheStoredTexts) {
  const auto window = open(nullptr);
  compareOrKeep(play(*window, GetParam()), textsIn(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Pictures, LessonTexts, testing::ValuesIn(lessons()),
                         [](const auto& made) { return testName(made.param); });

TEST(ViewTexts, EqualTheStoredTexts) {
  TextTwin made;
  for (const View& view : views()) {
    SCOPED_TRACE(view.name);
    const auto window = open(&view);
    ASSERT_TRUE(window->settle([](const std::string&) { return true; }));
    for (const std::string& key : view.keys) window->key(key);
    ASSERT_TRUE(
        window->settle([&](const std::string& state) { return view.shown(json::parse(state)); }));
    made.push_back(support::twinOf(view.name, window->texts()));
  }
  compareOrKeep(made, textsIn("views"));
}

}  // namespace tilestep::tests::picture_texts_test
