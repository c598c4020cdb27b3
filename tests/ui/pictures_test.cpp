// SPDX-License-Identifier: Apache-2.0
// Pictures of each lesson step and of the main views, compared with those kept in
// docs/screenshots. `test_pictures --remake` writes them anew; look at what changed before you
// keep it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string_view>

#include "support/picture.h"
#include "support/virtual_display.h"
#include "ui/driven_window.h"
#include "ui/fonts.h"

namespace tilestep::tests {

bool remakes = false;

namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using support::Picture;

constexpr int kWidth = 1920, kHeight = 1080;
/// As support::distance has it: one picture drawn again, with fewer colours, is below 0.6; two
/// steps that differ least are above 0.8. Each test proves the latter for its own pictures.
constexpr double kTolerance = 0.75;

fs::path keptFolder() {
  return fs::path(TILESTEP_SOURCE_DIR) / "docs" / "screenshots";
}

/// Empty, or why pictures made here cannot be like the kept ones.
std::string whyNot(const support::VirtualDisplay& display) {
  if (!display.ok()) return display.why();
  const ui::FontFiles fonts = ui::findFontFiles();
  const bool same = fs::path(fonts.text).stem().string().starts_with("Inter") &&
                    fs::path(fonts.mono).stem().string().starts_with("JetBrainsMono");
  return same ? "" : "the kept pictures are set in Inter and JetBrains Mono: not both are here";
}

/// Their names, without the extension.
std::vector<std::string> picturesIn(const fs::path& folder, const char* extension) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

/// In few colours, for the repository; `made` has no more of them afterwards.
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
  EXPECT_EQ(now->width, kWidth);
  EXPECT_EQ(now->height, kHeight);
  EXPECT_LT(support::distance(*now, *then), kTolerance)
      << name << " does not look as it did; look at it, then test_pictures --remake";
}

/// No picture would pass for another one: so the comparison can fail.
void expectApart(const fs::path& folder, const std::vector<std::string>& names, double least) {
  std::vector<Picture> pictures;
  for (const std::string& name : names) {
    const auto read = support::readPicture(folder / (name + ".png"));
    ASSERT_TRUE(read) << name;
    pictures.push_back(*read);
  }
  for (size_t i = 0; i < pictures.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_GT(support::distance(pictures[i], pictures[j]), least)
          << names[i] << " and " << names[j] << " cannot be told apart";
}

/// Compares a folder of new pictures with the kept one, or keeps them.
void compareOrKeep(const fs::path& made, const fs::path& kept, double least) {
  const std::vector<std::string> names = picturesIn(made, ".png");
  ASSERT_FALSE(names.empty());
  const std::vector<std::string> old = picturesIn(kept, ".webp");
  expectApart(made, names, least);
  if (old.empty()) GTEST_SKIP() << "none of them is kept";
  for (const std::string& name : old) {
    ASSERT_NE(std::find(names.begin(), names.end(), name), names.end())
        << kept / name << " is made no more: remove it";
    if (remakes)
      keep(made / (name + ".png"), kept / (name + ".webp"));
    else
      expectNear(name, made / (name + ".png"), kept / (name + ".webp"));
  }
}

/// A folder that goes with the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "tilestep-pictures-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::vector<std::string> lessons() {
  std::vector<std::string> names;
  for (const auto& entry :
       fs::directory_iterator(fs::path(TILESTEP_SOURCE_DIR) / "assets" / "lessons"))
    if (entry.path().extension() == ".md") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class LessonPictures : public testing::TestWithParam<std::string> {};

TEST_P(LessonPictures, LookAsTheyDid) {
  const support::VirtualDisplay display(kWidth, kHeight);
  if (const std::string why = whyNot(display); !why.empty()) GTEST_SKIP() << why;
  const Folder made;
  const support::Finished played =
      support::tilestep({"play", GetParam(), "--out", made.path().string(), "--device", "simt"},
                        display.environment());
  ASSERT_EQ(played.status, 0) << played.err;
  compareOrKeep(made.path(), keptFolder() / GetParam(), kTolerance);
}

std::string nameOfLesson(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Pictures, LessonPictures, testing::ValuesIn(lessons()), nameOfLesson);

/// A main view: what the window starts with, the keys that lead there, and how to know it.
struct View {
  std::string name;
  support::Words arguments, keys;
  std::function<bool(const json&)> shown;
};

bool atSecondStep(const json& state) {
  return state.at("step").at("index") == 1;
}

const std::vector<View>& views() {
  static const std::vector<View> all{
      {"01-opening", {}, {}, [](const json&) { return true; }},
      {"02-after-the-space-bar", {}, {"space"}, atSecondStep},
      {"03-presentation", {}, {"F5"}, [](const json& s) { return s.at("presenting") == true; }},
      {"04-light",
       {},
       {"space", "t"},
       [](const json& s) { return s.at("theme") == "light" && atSecondStep(s); }},
      {"05-warp-and-banks",
       {"--kernel", "matmul_tiled_swapped", "--set", "TILE_WIDTH=16"},
       {"w", "space"},
       [](const json& s) { return s.at("warp_view") == true && atSecondStep(s); }},
      {"06-phase-table", {}, {"x"}, [](const json& s) { return s.at("phase_table").is_object(); }},
  };
  return all;
}

/// The window's own picture (F12), after `keys`.
void takePicture(const View& view, const fs::path& to) {
  support::Words arguments{"--device", "simt"};
  arguments.insert(arguments.end(), view.arguments.begin(), view.arguments.end());
  const DrivenWindow window(arguments, {}, kWidth, kHeight);
  ASSERT_TRUE(window.unable().empty()) << window.unable();
  window.resize(kWidth, kHeight);
  ASSERT_TRUE(window.settle());
  window.point(kWidth - 2, kHeight - 2);  // Where nothing lies under the pointer.
  window.key("m");                        // Nothing is on its way while the picture is taken.
  for (const std::string& key : view.keys) window.key(key);
  ASSERT_TRUE(
      window.waitUntil([&](const json& s) { return s.at("motion") == false && view.shown(s); }));
  ASSERT_TRUE(window.settle());
  window.key("F12");
  ASSERT_TRUE(window.waitUntil([](const json& s) { return !s.at("notices").empty(); }));
  const std::string text = window.state()["notices"][0]["text"];
  const std::string start = "Picture saved as ";
  ASSERT_EQ(text.rfind(start, 0), 0U) << text;
  const fs::path saved = text.substr(start.size(), text.size() - start.size() - 1);
  fs::copy_file(saved, to);
  fs::remove(saved);
}

TEST(ViewPictures, LookAsTheyDid) {
  {
    const support::VirtualDisplay display(kWidth, kHeight);
    if (const std::string why = whyNot(display); !why.empty()) GTEST_SKIP() << why;
  }
  const Folder made;
  for (const View& view : views()) {
    SCOPED_TRACE(view.name);
    takePicture(view, made.path() / (view.name + ".png"));
    if (HasFatalFailure()) return;
  }
  // Two views may differ in one panel alone; which one it is, the window's state has told.
  compareOrKeep(made.path(), keptFolder() / "views", 0.2);
}

TEST(Distance, GrowsWithWhatMovesAndNotWithHowItIsRasterised) {
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

}  // namespace
}  // namespace tilestep::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  tilestep::tests::remakes = argc > 1 && std::string_view(argv[1]) == "--remake";
  return RUN_ALL_TESTS();
}
