// SPDX-License-Identifier: Apache-2.0
// The real window and OpenGL renderer, checked pixel by pixel, on this process's display or a
// private one.
#include "gfx/window.h"

#include <epoxy/gl.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "gfx/display_scale.h"
#include "gfx/labels/labels.h"
#include "gfx/offscreen.h"
#include "gfx/renderer.h"
#include "support/own_process.h"
#include "support/results.h"
#include "support/source_root.h"
#include "support/virtual_display.h"
#include "unit/gfx/sample_scene.h"

namespace tilestep::gfx::window_test {

const support::OwnProcess ownProcess{"WindowTest", "WindowWithoutDisplay"};

const std::filesystem::path kShaders = std::filesystem::path(support::sourceRoot()) / "shaders";

TEST(DisplayScale, IsTheDesktopsScaleIfSet) {
  EXPECT_EQ(displayScale({2, 3840, 2160, 600, 340}), 2);
  EXPECT_EQ(displayScale({1.25F, 1920, 1080, 0, 0}), 1.25F);
}

TEST(DisplayScale, FollowsTheDensityOfADenseDisplay) {
  EXPECT_EQ(displayScale({1, 3840, 2160, 527, 296}), 2);      // 24 inches
  EXPECT_EQ(displayScale({1, 3840, 2160, 597, 336}), 1.75F);  // 27
  EXPECT_EQ(displayScale({1, 3840, 2160, 708, 398}), 1.5F);   // 32
  EXPECT_EQ(displayScale({1, 3840, 2160, 941, 529}), 1);      // 43
  EXPECT_EQ(displayScale({1, 3840, 2160, 293, 165}), 3);      // A laptop: the maximum.
}

TEST(DisplayScale, FollowsTheLinesOfADistantOrUnknownDisplay) {
  for (const auto& [width, height] :
       {std::pair{0, 0}, {160, 90}, {1016, 572}, {600, 600}, {1430, 804}})
    EXPECT_EQ(displayScale({1, 3840, 2160, width, height}), 2) << width;
  EXPECT_EQ(displayScale({1, 5120, 2880, 0, 0}), 2.75F);
}

TEST(DisplayScale, IsOneOnAStandardDisplay) {
  EXPECT_EQ(displayScale({1, 1920, 1080, 294, 165}), 1);
  EXPECT_EQ(displayScale({1, 2560, 1440, 0, 0}), 1);
  EXPECT_EQ(displayScale({}), 1);
}

class WindowTest : public ::testing::Test {
 protected:
  static constexpr float kWidth = 600, kHeight = 700;

  // All tests share one window, because a display that loses its last client may restart and refuse
  // the next client.
  static void SetUpTestSuite() {
    makeDisplay();
    if (display_ && !display_->ok()) return;
    auto opened = Window::open({.width = int(kWidth), .height = int(kHeight), .vsync = false});
    if (!opened.ok()) {
      whyNone_ = opened.error().message;
      return;
    }
    window_ = std::move(opened).value();
    auto made = makeGlRenderer(kShaders);
    ASSERT_TRUE(made.ok()) << made.error().message;
    renderer_ = std::move(made).value();
  }
  static void TearDownTestSuite() {
    renderer_.reset();  // While its context exists.
    window_.reset();
    if (display_) unsetenv("DISPLAY");
    display_.reset();
  }
  /// Starts a private display if this process has none.
  static void makeDisplay() {
    if (std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr) return;
    display_ = std::make_unique<support::VirtualDisplay>(1280, 1024);
    if (!display_->ok()) return;
    for (const std::string& variable : display_->environment()) {
      const size_t equals = variable.find('=');
      setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
    }
  }
  void SetUp() override {
    if (display_ && !display_->ok()) GTEST_SKIP() << display_->why();
    ASSERT_TRUE(window_) << whyNone_;
    ASSERT_TRUE(renderer_);
  }

  [[nodiscard]] View view() const {
    return {{0, 0, kWidth, kHeight}, window_->framebufferScale(), window_->framebufferHeight()};
  }

  std::shared_ptr<const Layers> drawn(const SceneModel& model, const Camera& camera = {},
                                      float progress = 1) {
    auto layers = std::make_shared<Layers>(buildLayers(
        std::make_shared<SceneModel>(model), arrange(model, {kWidth, kHeight, 14}), palette_));
    window_->waitEvents(0);
    window_->beginFrame(palette_.background);
    renderer_->draw({0, layers, camera, view(), progress});
    window_->endFrame();
    scale_ = window_->framebufferScale();
    picture_ = window_->picture();
    return layers;
  }

  [[nodiscard]] Color pixel(Point at) const {
    const auto x = size_t(at.x * scale_), y = size_t(at.y * scale_);
    const uint8_t* c = &picture_[(y * size_t(window_->framebufferWidth()) + x) * 4];
    return {c[0], c[1], c[2], 255};
  }

  static void expectNear(Color a, Color b, int tolerance, const char* what) {
    const bool near = std::abs(a.r - b.r) <= tolerance && std::abs(a.g - b.g) <= tolerance &&
                      std::abs(a.b - b.b) <= tolerance;
    EXPECT_TRUE(near) << what << ": got " << int(a.r) << ' ' << int(a.g) << ' ' << int(a.b)
                      << ", expected " << int(b.r) << ' ' << int(b.g) << ' ' << int(b.b);
  }

  Palette palette_ = darkPalette();
  static inline std::unique_ptr<Window> window_;
  static inline std::unique_ptr<Renderer> renderer_;
  static inline std::string whyNone_;
  static inline std::unique_ptr<support::VirtualDisplay> display_;
  float scale_ = 1;
  std::vector<uint8_t> picture_;
};

/// Draws a frame of Dear ImGui into pixels, without a window.
Result<Pixels> drawnOffscreen(float width, float height) {
  ImGuiContext* const before = ImGui::GetCurrentContext();
  ImGuiContext* const own = ImGui::CreateContext();
  ImGui::SetCurrentContext(own);
  Result<Pixels> pixels = workError("not drawn");
  {
    Offscreen offscreen;
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {width, height};
    ImGui::NewFrame();
    ImGui::GetForegroundDrawList()->AddRectFilled({1, 1}, {3, 3}, IM_COL32(255, 0, 0, 255));
    ImGui::Render();
    pixels = offscreen.draw(*ImGui::GetDrawData(), rgb(0xffffff));
  }
  ImGui::DestroyContext(own);
  ImGui::SetCurrentContext(before);
  return pixels;
}

TEST_F(WindowTest, APictureLargerThanTheDriverAllowsIsRefusedWithAdvice) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  ASSERT_GT(most, 0);
  const Result<Pixels> small = drawnOffscreen(8, 4);
  ASSERT_TRUE(small);
  EXPECT_EQ(small->width, 8);
  EXPECT_EQ(small->height, 4);
  EXPECT_EQ(small->rgba[1], 255) << "white";
  EXPECT_EQ(small->rgba[(2 * 8 + 2) * 4 + 1], 0) << "red";
  for (const auto& [width, height] : {std::pair{float(most) + 1, 4.0F}, {4.0F, float(most) + 1}}) {
    const Result<Pixels> large = drawnOffscreen(width, height);
    ASSERT_FALSE(large) << width << " x " << height;
    EXPECT_TRUE(has(large.error().message, "at most " + std::to_string(most), "SVG or PDF"));
  }
}

SceneModel valuesScene() {
  SceneModel model = productScene(8, 8, 8, 4);
  auto picture = std::make_shared<Picture>(*filled(8, 8, 0));
  picture->values[0] = -1;
  picture->values[1] = 1;
  picture->values[9] = std::numeric_limits<float>::quiet_NaN();
  model.panels[0].picture = picture;
  return model;
}

TEST_F(WindowTest, CellsHaveTheColourOfTheirValue) {
  const auto layers = drawn(valuesScene());
  const Grid& m = layers->layout.panels[0];
  expectNear(pixel(m.cellBox(0, 0).center()), valueColor(0), 2, "lowest");
  expectNear(pixel(m.cellBox(0, 1).center()), valueColor(1), 2, "highest");
  expectNear(pixel(m.cellBox(5, 5).center()), valueColor(0.5F), 2, "middle");
  expectNear(pixel({m.box.x - 3, m.box.y - 3}), palette_.background, 1, "outside");
}

TEST_F(WindowTest, TheCurrentStepHasTheAccentAndTheRestIsDimmed) {
  SceneModel model = valuesScene();
  model.panels[0].highlights = {{{0, 0, 4, 4}, Mark::now}};
  const auto layers = drawn(model);
  const Grid& m = layers->layout.panels[0];
  expectNear(pixel(m.cellBox(0, 1).center()), valueColor(1), 2, "in focus");
  expectNear(pixel(m.cellBox(5, 5).center()),
             mix(palette_.surface, valueColor(0.5F), layers->matrices[0].dim), 3, "dimmed");
  const Point edge{m.box.x - 1, m.box.y + 2 * m.cell};
  expectNear(pixel(edge), palette_.accent, 3, "outline");
}

TEST_F(WindowTest, SlotsAndAccumulatorsFill) {
  SceneModel model = productScene(8, 8, 8, 4);
  model.arrays[0].slots[5] = {.value = 1, .written = true};
  model.threads[0].threads[0] = {.value = 1, .terms = 4, .ofTerms = 8};
  const auto layers = drawn(model);
  expectNear(pixel(layers->layout.arrays[0].cellBox(1, 1).center()), valueColor(1), 2, "slot");
  expectNear(pixel(layers->layout.arrays[0].cellBox(0, 0).center()), palette_.background, 2,
             "empty slot");
  const Box cell = layers->layout.threads[0].cellBox(0, 0);
  expectNear(pixel({cell.center().x, cell.y + cell.height * 0.75F}), valueColor(1), 2, "full part");
  expectNear(pixel({cell.center().x, cell.y + cell.height * 0.25F}), palette_.background, 2,
             "empty part");
}

TEST_F(WindowTest, ElementsTravel) {
  SceneModel model = valuesScene();
  model.arrays[0].slots[1] = {.value = 1, .written = true};
  model.links = {
      {.from = {Place::In::panel, 0, 0, 1}, .to = {Place::In::array, 0, 0, 1}, .warp = 0}};
  const auto layers = drawn(model, {}, 0.5F);
  const Point from = layers->layout.panels[0].cellBox(0, 1).center();
  const Point to = layers->layout.arrays[0].cellBox(0, 1).center();
  expectNear(pixel({(from.x + to.x) / 2, (from.y + to.y) / 2}), valueColor(1), 2, "half way");
}

/// While elements move, only the areas that they leave or enter are redrawn.
TEST_F(WindowTest, ElementsLeaveNoTraces) {
  SceneModel model = valuesScene();
  for (uint32_t i = 0; i < 16; ++i)
    model.links.push_back({.from = {Place::In::panel, 0, i / 4, i % 4},
                           .to = {Place::In::array, 0, i / 4, i % 4},
                           .warp = 0});
  const auto layers = std::make_shared<Layers>(buildLayers(
      std::make_shared<SceneModel>(model), arrange(model, {kWidth, kHeight, 14}), palette_));
  const auto at = [&](float progress) {
    window_->beginFrame(palette_.background);
    renderer_->draw({0, layers, {}, view(), progress});
    window_->endFrame();
    return window_->picture();
  };
  at(0.1F);
  at(0.4F);
  const std::vector<uint8_t> after = at(0.45F);
  window_->fontsChanged();  // The next frame is redrawn completely.
  EXPECT_TRUE(after == at(0.45F));
  EXPECT_TRUE(after != at(0.5F));
}

TEST_F(WindowTest, ZoomShowsTheSameCellLarger) {
  Camera camera;
  const SceneModel model = valuesScene();
  const Box cell = arrange(model, {kWidth, kHeight, 14}).panels[0].cellBox(0, 1);
  camera.fitTo(cell, kWidth, kHeight);
  drawn(model, camera);
  expectNear(pixel({kWidth / 2, kHeight / 2}), valueColor(1), 2, "the one cell");
}

TEST_F(WindowTest, ADenseDisplayHasTwoPixelsPerCoordinate) {
  const auto model = std::make_shared<SceneModel>(valuesScene());
  const auto layers = std::make_shared<Layers>(
      buildLayers(model, arrange(*model, {kWidth / 2, kHeight / 2, 10}), palette_));
  window_->beginFrame(palette_.background);
  ImGui::GetMainViewport()->Size = {kWidth / 2, kHeight / 2};
  ImGui::GetIO().DisplayFramebufferScale = {2, 2};
  renderer_->draw(
      {0, layers, {}, {{0, 0, kWidth / 2, kHeight / 2}, 2, view().framebufferHeight}, 1});
  window_->endFrame();
  scale_ = 2;
  picture_ = window_->picture();
  const Grid& m = layers->layout.panels[0];
  expectNear(pixel(m.cellBox(0, 1).center()), valueColor(1), 2, "highest");
  expectNear(pixel(m.cellBox(7, 7).center()), valueColor(0.5F), 2, "middle");
}

TEST_F(WindowTest, AChangedPictureIsUploadedAnew) {
  SceneModel model = valuesScene();
  model.panels[0].picture = filled(8, 8, -1);
  const auto layers = drawn(model);
  const Point at = layers->layout.panels[0].cellBox(3, 3).center();
  expectNear(pixel(at), valueColor(0), 2, "before");
  model.panels[0].picture = filled(8, 8, 1);
  drawn(model);
  expectNear(pixel(at), valueColor(1), 2, "after");
}

/// Frames that differ in one area look as if each had been drawn completely.
TEST_F(WindowTest, OnlyChangedPartsAreDrawnAgain) {
  const auto frame = [&](float width) {
    window_->beginFrame(palette_.background);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    for (const float y : {100.0F, 300.0F}) {
      list.PushClipRect({0, y}, {kWidth, y + 100});
      list.AddRectFilled({0, y}, {y > 200 ? width : 100, y + 100}, 0xFFFFFFFF);
      list.PopClipRect();
    }
    window_->endFrame();
    picture_ = window_->picture();
  };
  frame(100);
  const Color white{255, 255, 255, 255};
  expectNear(pixel({50, 350}), white, 0, "first frame");
  expectNear(pixel({150, 350}), palette_.background, 1, "beside it");
  frame(200);
  expectNear(pixel({50, 150}), white, 0, "kept");
  expectNear(pixel({150, 350}), white, 0, "grown");
  frame(100);
  expectNear(pixel({150, 350}), palette_.background, 1, "shrunk");
  expectNear(pixel({50, 150}), white, 0, "kept again");
}

TEST_F(WindowTest, LabelsDrawAndAPictureIsSaved) {
  const auto layers = drawn(valuesScene());
  window_->beginFrame(palette_.background);
  drawLabels(labelsOf(*layers, {}, kWidth, kHeight), {0, 0, kWidth, kHeight},
             ImGui::GetBackgroundDrawList(), {});
  const auto file = std::filesystem::path(TILESTEP_BINARY_DIR) / "gfx_window_test.png";
  const Status saved = window_->endFrame(file);
  ASSERT_TRUE(saved.ok()) << saved.error().message;
  std::ifstream in(file, std::ios::binary);
  std::string magic(8, 0);
  in.read(magic.data(), 8);
  EXPECT_EQ(magic, "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(glGetError(), GLenum(GL_NO_ERROR));
  std::filesystem::remove(file);
}

TEST_F(WindowTest, MissingShadersAreNamed) {
  const auto made = makeGlRenderer("no/such/folder");
  EXPECT_TRUE(fails(made, "rect.vert"));
}

TEST_F(WindowTest, ABrokenShaderIsNamedWithItsReason) {
  const auto folder = std::filesystem::path(TILESTEP_BINARY_DIR) / "broken_shaders";
  std::filesystem::remove_all(folder);
  std::filesystem::copy(kShaders, folder);
  std::ofstream(folder / "line.frag") << "#version 330 core\nvoid main() { nonsense; }\n";
  const auto made = makeGlRenderer(folder);
  ASSERT_FALSE(made.ok());
  EXPECT_TRUE(has(made.error().message, "line.frag", "nonsense"));
  std::filesystem::remove_all(folder);
}

TEST(WindowWithoutDisplay, TheErrorIsOneSentence) {
  const char* display = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  const std::string oldDisplay = display ? display : "", oldWayland = wayland ? wayland : "";
  unsetenv("DISPLAY");
  unsetenv("WAYLAND_DISPLAY");
  const auto opened = Window::open({});
  if (display) setenv("DISPLAY", oldDisplay.c_str(), 1);
  if (wayland) setenv("WAYLAND_DISPLAY", oldWayland.c_str(), 1);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().kind, ErrorKind::request);
  EXPECT_TRUE(has(opened.error().message, "display"));
  EXPECT_EQ(opened.error().message.find('\n'), std::string::npos);
}

}  // namespace tilestep::gfx::window_test
