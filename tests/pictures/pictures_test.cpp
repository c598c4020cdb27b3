// SPDX-License-Identifier: Apache-2.0
// Compares pictures of lesson steps and of the main views with those stored in docs/screenshots, by
// the positions of their contents; picture_texts_test.cpp compares their texts. `test_pictures
// --remake` writes them again; look at the changes before you keep them.
#include <gtest/gtest.h>
#include <imgui.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "base/hash.h"
#include "stored/stored_results.h"
#include "support/picture.h"
#include "support/remake.h"
#include "support/service.h"
#include "support/skips.h"
#include "support/text_twin.h"
#include "support/virtual_display.h"
#include "ui/driven_window.h"
#include "ui/kept_pictures.h"
#include "ui/kit/fonts.h"

namespace tilestep::tests {
namespace pictures_test {

namespace fs = std::filesystem;
using nlohmann::json;
using support::Picture;

/// A limit for support::distance. A picture drawn again, with fewer colours, is below 0.6; the two
/// most similar steps are above 0.8. Each test checks the latter for its own pictures.
constexpr double kTolerance = 0.75;

/// The libraries that determine each pixel of a letter, one per line.
std::vector<std::string> makers() {
  std::vector<std::string> all{"Dear ImGui " IMGUI_VERSION};
  const ui::FontFiles fonts = ui::findFontFiles();
  for (const std::string& file : {fonts.text, fonts.strong, fonts.mono, fonts.fallback}) {
    constexpr size_t kLargest = size_t{64} << 20;
    const auto bytes = readTextFile(file, kLargest);
    all.push_back(fs::path(file).filename().string() + " " +
                  (bytes ? hex64(fnv1a64(*bytes)) : "is not here"));
  }
  return all;
}

fs::path makersFile() {
  return keptFolder() / "made-with.txt";
}

/// Empty, or why new pictures cannot equal the stored ones. Fails the test if the stored pictures
/// do not name their libraries.
std::string whyNotAlike() {
  std::ifstream file(makersFile());
  if (!file) {
    ADD_FAILURE() << makersFile() << " cannot be opened: test_pictures --remake writes it";
    return {};
  }
  for (const std::string& here : makers()) {
    std::string kept;
    std::getline(file, kept);
    if (kept != here)
      return support::because(support::kOtherPictures, "the kept pictures were made with " + kept +
                                                           ", here is " + here +
                                                           ": their texts alone are compared");
  }
  return {};
}

std::string whyNot(const support::VirtualDisplay& display) {
  if (!display.ok()) return display.why();
  return support::remakes() ? "" : whyNotAlike();
}

/// The names of the folder's pictures, without the extension.
std::vector<std::string> picturesIn(const fs::path& folder, const char* extension) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// Stores the picture with few colours, for the repository; `made` then has equally few.
void keep(const fs::path& made, const fs::path& kept) {
  fs::create_directories(kept.parent_path());
  const auto fewer = support::Running({"convert", made.string(), "+dither", "-colors", "64",
                                       "PNG8:" + made.string()})
                         .wait();
  ASSERT_EQ(fewer.status, 0) << "remaking needs ImageMagick's convert: " << fewer.err;
  const auto done = support::Running({"cwebp", "-quiet", "-lossless", "-z", "9", made.string(),
                                      "-o", kept.string()})
                        .wait();
  ASSERT_EQ(done.status, 0) << "remaking needs cwebp: " << done.err;
}

void expectNear(const std::string& name, const fs::path& made, const fs::path& kept) {
  const auto now = support::readPicture(made), then = support::readPicture(kept);
  ASSERT_TRUE(now) << "no picture " << made;
  ASSERT_TRUE(then) << "no picture " << kept << ": test_pictures --remake makes it";
  EXPECT_EQ(now->width, kPictureWidth);
  EXPECT_EQ(now->height, kPictureHeight);
  EXPECT_LT(support::distance(*now, *then), kTolerance)
      << name << " does not look as it did; look at it, then test_pictures --remake";
}

/// Checks that no other picture would pass for a stored one, so that the comparison can fail.
void expectApart(const fs::path& folder, const std::vector<std::string>& names,
                 const std::vector<std::string>& kept, double least) {
  std::map<std::string, Picture> pictures;
  for (const std::string& name : names) {
    const auto read = support::readPicture(folder / (name + ".png"));
    ASSERT_TRUE(read) << name;
    pictures[name] = *read;
  }
  for (const std::string& name : kept) {
    for (const auto& [other, picture] : pictures) {
      if (other == name) continue;
      EXPECT_GT(support::distance(pictures[name], picture), least)
          << name << " and " << other << " cannot be told apart";
    }
  }
}

/// Compares a folder of new pictures with the stored one, or stores them.
void compareOrKeep(const fs::path& made, const fs::path& kept, double least) {
  const std::vector<std::string> names = picturesIn(made, ".png");
  ASSERT_FALSE(names.empty());
  const std::vector<std::string> old = picturesIn(kept, ".webp");
  if (old.empty()) GTEST_SKIP() << support::because(support::kNoPicture);
  for (const std::string& name : old) {
    ASSERT_NE(std::find(names.begin(), names.end(), name), names.end())
        << kept / name << " is made no more: remove it";
  }
  expectApart(made, names, old, least);
  for (const std::string& name : old) {
    if (support::remakes())
      keep(made / (name + ".png"), kept / (name + ".webp"));
    else
      expectNear(name, made / (name + ".png"), kept / (name + ".webp"));
  }
}

class LessonPictures : public testing::TestWithParam<std::string> {};

TEST_P(LessonPictures, EqualTheStoredPictures) {
  const support::VirtualDisplay display(kPictureWidth, kPictureHeight);
  if (const std::string why = whyNot(display); !why.empty()) GTEST_SKIP() << why;
  const support::TemporaryFolder made("pictures");
  support::Words environment = display.environment();
  environment.insert(environment.end(), storedCompiler().begin(), storedCompiler().end());
  const support::Finished played = support::tilestep(
      {"play", GetParam(), "--out", made.path(), "--device", "simt"}, environment);
  ASSERT_EQ(played.status, 0) << played.err;
  compareOrKeep(made.path(), keptFolder() / GetParam(), kTolerance);
}

INSTANTIATE_TEST_SUITE_P(Pictures, LessonPictures, testing::ValuesIn(lessons()),
                         [](const auto& made) { return testName(made.param); });

/// The window's own picture (F12), moved to `to`.
void savePicture(const DrivenWindow& window, const fs::path& to) {
  window.key("F12");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return !s.at("notices").empty(); }));
  const std::string text = window.state()["notices"][0]["text"];
  const fs::path saved = savedPicture(text);
  ASSERT_FALSE(saved.empty()) << text;
  fs::copy_file(saved, to, fs::copy_options::overwrite_existing);
  fs::remove(saved);
}

/// A window of the stored pictures' size, with nothing under the pointer and nothing moving.
void makeReady(const DrivenWindow& window) {
  ASSERT_TRUE(window.unable().empty()) << window.unable();
  window.resize(kPictureWidth, kPictureHeight);
  ASSERT_TRUE(window.settle());
  window.point(kPictureWidth - 2, kPictureHeight - 2);
  window.key("m");
}

void takePicture(const View& view, const fs::path& to) {
  support::Words arguments{"--device", "simt"};
  if (!view.kernel.empty()) arguments.insert(arguments.end(), {"--kernel", view.kernel});
  for (const auto& [name, value] : view.tunables)
    arguments.insert(arguments.end(), {"--set", name + "=" + std::to_string(value)});
  const DrivenWindow window(arguments, storedCompiler(), kPictureWidth, kPictureHeight);
  ASSERT_NO_FATAL_FAILURE(makeReady(window));
  for (const std::string& key : view.keys) window.key(key);
  ASSERT_TRUE(
      window.waitUntil([&](const json& s) { return s.at("motion") == false && view.shown(s); }));
  ASSERT_TRUE(window.settle());
  savePicture(window, to);
}

TEST(ViewPictures, EqualTheStoredPictures) {
  {
    const support::VirtualDisplay display(kPictureWidth, kPictureHeight);
    if (const std::string why = whyNot(display); !why.empty()) GTEST_SKIP() << why;
  }
  const support::TemporaryFolder made("pictures");
  for (const View& view : views()) {
    SCOPED_TRACE(view.name);
    takePicture(view, made.path(view.name + ".png"));
    if (HasFatalFailure()) return;
  }
  // Two views may differ in only one panel; the window's state has shown which view it is.
  compareOrKeep(made.path(), keptFolder() / "views", 0.2);
}

bool hasGpu() {
  return support::tilestep({"devices"}).out.find("cuda:0") != std::string::npos;
}

bool showsDram(const json& state) {
  const json& points = state.at("roofline").at("points");
  return std::any_of(points.begin(), points.end(),
                     [](const json& point) { return point.at("level") == "DRAM"; });
}

/// The roofline with the GPU's own counters.
void takeRoofline(const fs::path& to) {
  const DrivenWindow window({"--set", "TILE_WIDTH=16"}, {}, kPictureWidth, kPictureHeight);
  ASSERT_NO_FATAL_FAILURE(makeReady(window));
  window.key("c");
  window.key("6");
  ASSERT_TRUE(window.waitUntil(showsDram)) << window.state()["roofline"];
  ASSERT_TRUE(window.settle());
  savePicture(window, to);
}

/// Live mode while the tile's width changes.
void takeLive(const fs::path& to) {
  const DrivenWindow window({"--set", "TILE_WIDTH=16"}, {}, kPictureWidth, kPictureHeight);
  ASSERT_NO_FATAL_FAILURE(makeReady(window));
  window.key("7");
  int choices = 1;
  for (const char* key : {"", "bracketright", "bracketright", "bracketleft", "bracketleft"}) {
    if (*key != '\0') window.key(key);
    const int before = window.state()["live"]["points"];
    ASSERT_TRUE(window.waitUntil([&](const json& s) {
      const json& live = s.at("live");
      return live.at("choices") >= choices && live.at("points").get<int>() > before + 500;
    })) << window.state()["live"];
    ++choices;
  }
  savePicture(window, to);
}

/// These pictures are made but not compared, because measurements differ each time. If a machine
/// with a GPU has no tools for WebP, it leaves PNG files, which a second run elsewhere stores.
void remakeGpuPictures() {
  const fs::path kept = keptFolder() / "h200";
  const std::vector<std::string> made = picturesIn(kept, ".png");
  for (const std::string& name : made) {
    keep(kept / (name + ".png"), kept / (name + ".webp"));
    fs::remove(kept / (name + ".png"));
  }
  if (!made.empty() || !hasGpu()) return;
  takeRoofline(kept / "1-roofline.png");
  takeLive(kept / "2-live.png");
}

/// Runs after the last picture of a remake.
class Remake : public testing::Environment {
 public:
  void TearDown() override {
    if (!support::remakes()) return;
    remakeGpuPictures();
    std::ofstream file(makersFile());
    for (const std::string& maker : makers()) file << maker << "\n";
  }
};
const testing::Environment* const remake = testing::AddGlobalTestEnvironment(new Remake);

TEST(Distance, GrowsWithMovementButNotWithRasterisation) {
  const auto striped = [](int period, int from) {
    Picture picture{240, 240, std::vector<uint8_t>(size_t{240} * 240)};
    for (int y = 48; y < 120; ++y)
      for (int x = from; x < from + 96; ++x)
        picture.brightness[size_t(y) * 240 + size_t(x)] = x % period == 0 ? 255 : 0;
    return picture;
  };
  EXPECT_EQ(support::distance(striped(4, 24), striped(4, 24)), 0);
  EXPECT_LT(support::distance(striped(4, 24), striped(4, 25)), 1);
  EXPECT_GT(support::distance(striped(4, 24), striped(4, 120)), kTolerance);
  EXPECT_EQ(support::distance(striped(4, 24), Picture{}), 255);
}

}  // namespace pictures_test
}  // namespace tilestep::tests
