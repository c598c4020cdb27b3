// SPDX-License-Identifier: Apache-2.0
// Each script in tests/guard/gestures repeats a user's actions. The states of the window, the
// requests to the worker and the saved files must equal those in tests/guard/kept. `test_guard
// --remake` writes these again; read the difference before you commit it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "guard/kept.h"
#include "guard/player.h"
#include "support/remake.h"

namespace tilestep::tests::guard_test {

namespace fs = std::filesystem;

class Gesture : public testing::TestWithParam<std::string> {};

std::string statesDiffer(const std::string& gesture, const std::vector<Appearance>& made) {
  const std::vector<Appearance> kept = keptLooks(gesture);
  if (kept.empty()) return "the kept states are missing or do not fit the opened window's\n";
  for (size_t i = 0; i < std::min(kept.size(), made.size()); ++i) {
    if (kept[i].words != made[i].words)
      return "look " + std::to_string(i + 1) + " was kept as \"" + kept[i].words + "\"\n";
    if (const std::string lines = differencesOf(kept[i].state, made[i].state); !lines.empty())
      return "the window's state differs, " + made[i].words + ":\n" + lines;
  }
  return kept.size() == made.size() ? "" : "the number of kept looks differs\n";
}

/// The requests and the files that would be saved. For saved windows after the first one, only the
/// lines that differ from it.
std::map<std::string, std::string> textsOf(const std::string& gesture, const Player& player) {
  std::map<std::string, std::string> texts = player.files();
  if (texts.contains("window.toml") && gesture != gestures().front()) {
    texts["window.toml.changes"] =
        changedLines(gestures().front() + ".window.toml", texts.at("window.toml"));
    texts.erase("window.toml");
  }
  texts["requests.txt"] = player.requests();
  return texts;
}

TEST_P(Gesture, StateRequestsAndFilesMatchTheKeptOnes) {
  const std::string& name = GetParam();
  Player player(name);
  ASSERT_TRUE(player.play()) << player.trouble();
  const std::string states = support::remakes() ? "" : statesDiffer(name, player.looks());
  EXPECT_TRUE(states.empty()) << states;
  if (support::remakes()) keepLooks(name, player.looks());
  for (const auto& [ending, text] : textsOf(name, player)) {
    const std::string wrong = compareOrKeep(name + "." + ending, text);
    EXPECT_TRUE(wrong.empty()) << wrong;
  }
}

std::string testName(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Guard, Gesture, testing::ValuesIn(gestures()),
                         [](const auto& made) { return testName(made.param); });

TEST(Guard, EachKeptFileBelongsToAGesture) {
  const std::vector<std::string> names = gestures();
  EXPECT_EQ(names.size(), 30U);
  for (const auto& entry : fs::directory_iterator(guardFolder() / "kept")) {
    const std::string file = entry.path().filename().string();
    const bool known =
        file.starts_with("opened-") || std::ranges::any_of(names, [&](const std::string& name) {
          return file.starts_with(name + ".");
        });
    EXPECT_TRUE(known) << file;
  }
}

TEST(Guard, DifferencesNameTheirPlace) {
  const nlohmann::json kept = {{"step", {{"index", 3}}}, {"pins", {1}}};
  const nlohmann::json now = {{"step", {{"index", 4}}}, {"pins", nlohmann::json::array()}};
  EXPECT_EQ(differencesOf(kept, kept), "");
  EXPECT_EQ(differencesOf(kept, now),
            "  /pins/0: kept 1, now (nothing)\n  /step/index: kept 3, now 4\n");
  EXPECT_EQ(differencesOf(std::string("a\nb\n"), std::string("a\nc\n")),
            "  line 2 kept: b\n  line 2 now:  c\n");
}

}  // namespace tilestep::tests::guard_test
