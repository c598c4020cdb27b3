// SPDX-License-Identifier: Apache-2.0
// Pictures that the window saves: of itself, of a view and of all steps.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "support/picture.h"
#include "support/results.h"
#include "support/virtual_display.h"
#include "ui/driven_window.h"

namespace tilestep::tests::window_saving_test {

using nlohmann::json;

TEST(WindowSaving, APictureIsSavedAndItsPathReported) {
  DrivenWindow window({"--device", "simt"});
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.settle());
  window.key("F12");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return !s.at("notices").empty(); }));
  const std::string text = window.state()["notices"][0]["text"];
  const std::filesystem::path file = savedPicture(text);
  EXPECT_EQ(text,
            "Picture saved as " + file.string() + ", in the folder that Tilestep was started in.");
  EXPECT_TRUE(std::filesystem::remove(file)) << text;
}

/// The number of pixels that differ sharply from the next pixel of the same pair. It is 0 if the
/// picture was drawn with half as many pixels and then enlarged.
size_t edgesWithinPairs(const support::Picture& picture) {
  constexpr int kSharp = 120;
  size_t found = 0;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x + 1 < picture.width; x += 2) {
      const auto at = size_t(y) * size_t(picture.width) + size_t(x);
      found += std::abs(picture.brightness[at] - picture.brightness[at + 1]) > kSharp ? 1 : 0;
    }
  return found;
}

TEST(WindowSaving, TheViewOnScreenIsSavedAlsoAtTwiceTheResolution) {
  DrivenWindow window({"--device", "simt"});
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.settle());
  const auto saved = [&](const std::string& part) {
    std::string file;
    EXPECT_TRUE(window.waitUntil([&](const json& s) {
      for (const json& notice : s.at("notices")) {
        const std::string name = savedPicture(notice.at("text"));
        if (name.find(part) != std::string::npos) file = name;
      }
      return !file.empty();
    })) << window.state().at("notices");
    const auto picture = support::readPicture(file);
    std::filesystem::remove(file);
    return picture.value_or(support::Picture());
  };
  window.key("ctrl+s");
  window.key("Return");
  const support::Picture plain = saved("tilestep-scene-matmul_tiled-step-1-");
  EXPECT_EQ(plain.width, 1600);
  EXPECT_EQ(plain.height, 900);
  window.key("ctrl+s");
  window.key("ctrl+k");
  window.key("Return");
  const support::Picture fine = saved("-2x-");
  EXPECT_EQ(fine.width, 3200);
  EXPECT_EQ(fine.height, 1800);
  EXPECT_GT(edgesWithinPairs(fine), 1000U);
}

/// The folders of steps' pictures that the window wrote to this program's working folder.
std::set<std::filesystem::path> stepFolders() {
  std::set<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator("."))
    if (entry.is_directory() && entry.path().filename().string().starts_with("tilestep-steps-"))
      found.insert(entry.path());
  return found;
}

/// Starts saving each step as a PNG, and returns the folder once it has the first one.
std::filesystem::path beginStepPngs(const DrivenWindow& window) {
  constexpr int kPlace = 8;  // Index of the folder of PNG among the kinds.
  const std::set<std::filesystem::path> before = stepFolders();
  window.key("ctrl+s");
  for (int i = 0; i < kPlace; ++i) window.key("ctrl+k");
  window.key("Return");
  std::filesystem::path folder;
  EXPECT_TRUE(window.waitUntil([&](const json&) {
    for (const std::filesystem::path& now : stepFolders())
      if (!before.contains(now)) folder = now;
    return !folder.empty() && std::filesystem::exists(folder / "01.png");
  }));
  return folder;
}

TEST(WindowSaving, EachStepIsSavedAsAPngAtTwiceTheResolution) {
  DrivenWindow window({"--device", "simt"});
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.settle());
  const std::filesystem::path folder = beginStepPngs(window);
  ASSERT_FALSE(folder.empty());
  std::string said;
  EXPECT_TRUE(window.waitUntil([&](const json& s) {
    for (const json& notice : s.at("notices"))
      if (notice.at("text").get<std::string>().starts_with("Folder of pictures"))
        said = notice["text"];
    return !said.empty();
  }));
  const auto steps = window.state()["step"]["count"].get<size_t>();
  EXPECT_TRUE(has(said, "with " + std::to_string(steps) + " steps."));
  ASSERT_GT(steps, 1U);
  for (size_t i = 1; i <= steps; ++i) {
    const std::string file = (folder / ("0" + std::to_string(i) + ".png")).string();
    const auto picture = support::readPicture(file);
    ASSERT_TRUE(picture) << file;
    EXPECT_EQ(picture->width, 3200) << file;
    EXPECT_GT(edgesWithinPairs(*picture), 1000U) << file;
  }
  std::filesystem::remove_all(folder);
}

TEST(WindowSaving, ClosingWhileStepsAreSavedKeepsTheStateAndLeavesNoFolder) {
  const support::HomeCopy place;  // A folder of its own; its copies are not looked at.
  // With 100 pictures to draw, saving is far from its end when the window is closed.
  DrivenWindow window({"--device", "simt", "--set", "TILE_WIDTH=8"},
                      {"XDG_STATE_HOME=" + place.folder().string()});
  NEEDS_DISPLAY(window);
  ASSERT_TRUE(window.settle());
  window.key("3");
  window.key("End");
  ASSERT_TRUE(
      window.waitUntil([](const json& s) { return s.at("step").at("index").get<int>() > 20; }));
  ASSERT_TRUE(window.settle());
  const std::string step = std::to_string(window.state()["step"]["index"].get<int>());
  const std::filesystem::path folder = beginStepPngs(window);
  EXPECT_EQ(window.close(), 0);
  EXPECT_FALSE(std::filesystem::exists(folder)) << folder;
  const std::string kept = place.read("tilestep/window.toml");
  EXPECT_TRUE(has(kept, "step = " + step + "\n"));
  EXPECT_FALSE(has(kept, "motion = false"));
  std::filesystem::remove_all(folder);
}

}  // namespace tilestep::tests::window_saving_test
