// SPDX-License-Identifier: Apache-2.0
// The picture's share of the window at each step of each lesson, and the size of its cells. While a
// question covers the picture, the kernel's source is shown in its place.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "features/lessons/view.h"
#include "support/known_fonts.h"
#include "support/source_root.h"
#include "ui/headless_window.h"
#include "ui/kept_pictures.h"

namespace tilestep::tests::stage_share_test {

namespace fs = std::filesystem;
using features::LessonsView;

const features::LessonView& lessonOf(HeadlessWindow& window) {
  return *window.session().snapshot()->view<LessonsView>().lesson;
}

void makeFrames(HeadlessWindow& window) {
  constexpr int kFrames = 8;  // The column's width follows its text.
  for (int i = 0; i < kFrames; ++i) window.frame();
}

float areaOf(const gfx::Box& box) {
  return box.width * box.height;
}

/// The share of the whole window's area.
float shareOfStage(HeadlessWindow& window, float width, float height) {
  const ui::UiState& ui = window.ui();
  float area = 0;
  if (ui.stage == model::Stage::scene)
    area = std::max(areaOf(ui.boxOf("scene")), areaOf(ui.boxOf("phases")));
  else
    area = areaOf(ui.boxOf(model::tableOf(ui.stage)));
  if (ui.stageCovered)
    for (const char* view : {"source", "threads", "warp", "thread", "ptx"})
      area += areaOf(ui.boxOf(view));
  return area / (width * height);
}

/// In pixels. A cell of a matrix with at most 8 rows and columns must be recognisable.
constexpr float kLeastCell = 20;

/// The smallest cell of the scene's matrices, if all of them are that small.
float smallestOfSmall(const gfx::SceneCall& scene) {
  float smallest = std::numeric_limits<float>::infinity();
  for (size_t i = 0; i < scene.layers->model->panels.size(); ++i) {
    const gfx::MatrixPanel& panel = scene.layers->model->panels[i];
    if (panel.rows > 8 || panel.columns > 8) return std::numeric_limits<float>::infinity();
    smallest = std::min(smallest, scene.layers->layout.panels[i].cell);
  }
  return smallest;
}

class StageShare : public testing::TestWithParam<std::string> {
 protected:
  void expectLarge(HeadlessWindow& window, const char* when) {
    constexpr float kLeastShare = 0.45F;
    for (const auto& [width, height] :
         {std::pair{1024.0F, 640.0F}, {1366.0F, 768.0F}, {1920.0F, 1080.0F}}) {
      window.resize(width, height);
      makeFrames(window);
      const float share = shareOfStage(window, width, height);
      EXPECT_GE(share, kLeastShare) << when << ", " << width << " x " << height;
      least_ = std::min(least_, share);
      for (const gfx::SceneCall& scene : window.scenes())
        EXPECT_GE(smallestOfSmall(scene), kLeastCell) << when << ", " << width << " x " << height;
    }
  }
  float least_ = 1;
};

TEST_P(StageShare, IsAlmostHalfOfTheWindowAtEachStepAndItsCellsAreClear) {
  model::SessionOptions options;
  options.home = support::sourceRoot();
  options.device = "simt";
  HeadlessWindow window(options, 1920, 1080);
  const fs::path folder = fs::path(support::sourceRoot()) / "assets" / "lessons";
  window.session().apply(model::command("lessons.open", (folder / (GetParam() + ".md")).string()));
  window.frame();
  const size_t steps = lessonOf(window).lesson->steps.size();
  for (size_t i = 0; i < steps; ++i) {
    window.session().apply(model::command("lessons.step", i));
    window.frame();
    SCOPED_TRACE(lessonOf(window).step().title);
    ASSERT_TRUE(window.settle([&](const std::string&) { return !lessonOf(window).shown->coming; }));
    expectLarge(window, "asked");
    if (!lessonOf(window).step().ask) continue;
    window.session().apply(model::command("lessons.reveal"));
    expectLarge(window, "answered");
  }
  RecordProperty("least", std::to_string(least_));
}

INSTANTIATE_TEST_SUITE_P(Each, StageShare, testing::ValuesIn(lessons()),
                         [](const auto& made) { return testName(made.param); });

}  // namespace tilestep::tests::stage_share_test
