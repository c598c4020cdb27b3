// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/appearances.h"

#include <gtest/gtest.h>

#include "features/registry.h"
#include "support/source_root.h"
#include "ui/shell/keys.h"
#include "ui/shell/layout.h"

namespace tilestep::ui::appearances_test {

class LooksTest : public ::testing::Test {
 protected:
  static model::SessionOptions options() {
    model::SessionOptions options;
    options.home = support::sourceRoot();
    return options;
  }
  void press(std::vector<gfx::KeyEvent> keys) {
    handleKeys(keys, session, ui, false, false);
    syncLooks(ui, session, false);
  }

  model::Session session{options(), features::makeFeatures()};
  UiState ui;
};

TEST_F(LooksTest, APresentationIsLargeFoldedAndOfHighContrast) {
  togglePresentation(ui);
  EXPECT_EQ(ui.theme, Theme::highContrast);
  const std::array<bool, kPanels> shown = panelsWithRoom(ui, 1920, 1080, 30);
  EXPECT_FALSE(shown[static_cast<size_t>(Panel::controls)]);
  EXPECT_FALSE(shown[static_cast<size_t>(Panel::source)]);
  EXPECT_TRUE(shown[static_cast<size_t>(Panel::measures)]);
}

TEST_F(LooksTest, TheSameKeyRestoresTheDesk) {
  press({{gfx::Key::none, U't'}, {gfx::Key::f3}, {gfx::Key::none, U'+'}, {gfx::Key::none, U'w'}});
  ui.controlsWidth = 321;
  ui.camera.pan(3, 4);
  ui.cameraMoved = true;
  const model::Appearance desk = ui;
  const CameraState view = ui;
  press({{gfx::Key::f5}, {gfx::Key::none, U'+'}, {gfx::Key::none, U't'}, {gfx::Key::f2}});
  EXPECT_NE(static_cast<model::Appearance&>(ui), desk);
  EXPECT_FALSE(ui.cameraMoved);
  EXPECT_TRUE(ui.warpView);  // The view remains.
  const model::Appearance presentation = ui;
  press({{gfx::Key::f5}});
  EXPECT_EQ(static_cast<model::Appearance&>(ui), desk);
  EXPECT_EQ(ui.camera, view.camera);
  EXPECT_TRUE(ui.cameraMoved);
  press({{gfx::Key::f5}});
  EXPECT_EQ(static_cast<model::Appearance&>(ui), presentation);
}

TEST_F(LooksTest, ScalesStepFrom75To300PerCent) {
  ui.shownScale = 1;
  for (int i = 0; i < 20; ++i) stepScale(ui, +1);
  EXPECT_EQ(ui.scale, 3);
  for (int i = 0; i < 20; ++i) stepScale(ui, -1);
  EXPECT_EQ(ui.scale, 0.75F);
  togglePresentation(ui);
  ui.shownScale = 2;
  stepScale(ui, +1);  // Starts from the automatic scale.
  EXPECT_EQ(ui.scale, 2.25F);
}

TEST_F(LooksTest, APresentationsTextIsReadableFromTheLastRow) {
  togglePresentation(ui);
  for (const auto& [width, height] :
       {std::pair{1024.0F, 640.0F}, {1024.0F, 768.0F}, {1920.0F, 1080.0F}, {3840.0F, 2160.0F}})
    for (const float display : {1.0F, 2.0F}) {
      const TypeSize type = typeFor(ui, width, height, display);
      EXPECT_GE(type.leastPixels, height / 36) << height;
      EXPECT_GE(16 * type.scale, type.leastPixels) << height;
      EXPECT_LT(16 * type.scale, type.leastPixels + 1) << height;
    }
  // A narrow window has space for fewer letters.
  EXPECT_EQ(typeFor(ui, 600, 1200, 1).leastPixels, 12.5F);
}

TEST_F(LooksTest, AChosenScaleStaysUnlessAPresentationNeedsMore) {
  ui.scale = 1.5F;
  EXPECT_EQ(typeFor(ui, 1920, 1080, 1), (TypeSize{1.5F, 18}));
  EXPECT_EQ(typeFor(ui, 1920, 1080, 2), (TypeSize{3, 36}));
  EXPECT_EQ(typeFor(ui, 3840, 2160, 1), (TypeSize{1.5F, 18}));
  togglePresentation(ui);
  ui.scale = 2.5F;
  EXPECT_EQ(typeFor(ui, 1920, 1080, 1), (TypeSize{2.5F, 30}));
  ui.scale = 1;
  EXPECT_EQ(typeFor(ui, 1920, 1080, 1), (TypeSize{30.0F / 16, 30}));
}

TEST_F(LooksTest, SceneAndPanelsMoveByKeyboard) {
  const gfx::Camera before = ui.camera;
  press({{.key = gfx::keyOf('='), .control = true}});
  EXPECT_GT(ui.camera.zoom(), before.zoom());
  const float x = ui.camera.origin().x;
  press({{.key = gfx::Key::right, .alt = true}});
  EXPECT_LT(ui.camera.origin().x, x);
  EXPECT_TRUE(ui.cameraMoved);
  press({{.key = gfx::Key::right, .control = true}});
  session.poll(0);
  EXPECT_EQ(session.snapshot()->choice.block, (Dim3{1, 0, 0}));
  for (int i = 0; i < 9; ++i) press({{.key = gfx::Key::down, .control = true}});
  session.poll(0);
  EXPECT_EQ(session.snapshot()->choice.block, (Dim3{1, 1, 0}));  // The last of 2 x 2.
  EXPECT_EQ(session.snapshot()->position.index, 0U);             // No step was taken.
  press({{.key = gfx::Key::f4, .control = true}});
  const float wider = ui.measuresWidth;
  EXPECT_GT(wider, 0);
  press({{.key = gfx::Key::f4, .shift = true}});
  EXPECT_LT(ui.measuresWidth, wider);
  EXPECT_TRUE(ui.panels[static_cast<size_t>(Panel::measures)].wanted);
}

TEST_F(LooksTest, ADragIsOneChange) {
  for (float width = 300; width < 340; width += 10) {
    ui.controlsWidth = width;
    syncLooks(ui, session, true);
  }
  syncLooks(ui, session, false);
  session.undo();
  syncLooks(ui, session, false);
  EXPECT_EQ(ui.controlsWidth, 0);
}

TEST(LayoutAtEveryScale, PanelsStayInTheWindowAndDoNotOverlap) {
  for (const auto& [width, height] :
       {std::pair{1280.0F, 720.0F}, {1920.0F, 1080.0F}, {3840.0F, 2160.0F}}) {
    for (const float scale : kScales) {
      for (int asked = -1; asked < 3; ++asked) {
        UiState ui;
        ui.shown = panelsWithRoom(ui, width, height, 16 * scale);
        if (asked >= 0 && !ui.shown[static_cast<size_t>(asked)])
          togglePanel(ui, static_cast<Panel>(asked));
        const PanelLayout l = layOut(ui, width, height, 16 * scale);
        const std::array<const gfx::Box*, 7> boxes{&l.top,  &l.controls, &l.stage,    &l.source,
                                                   &l.step, &l.measures, &l.transport};
        for (size_t i = 0; i < boxes.size(); ++i) {
          const gfx::Box& box = *boxes[i];
          if (box.width <= 0 || box.height <= 0) continue;
          EXPECT_GE(box.x, 0) << scale;
          EXPECT_GE(box.y, 0) << scale;
          EXPECT_LE(box.x + box.width, width + 0.5F) << scale << " box " << i;
          EXPECT_LE(box.y + box.height, height + 0.5F) << scale << " box " << i << " " << height;
          for (size_t j = 0; j < i; ++j) {
            const gfx::Box& other = *boxes[j];
            if (other.width <= 0 || other.height <= 0) continue;
            const bool apart = box.x >= other.x + other.width || other.x >= box.x + box.width ||
                               box.y >= other.y + other.height || other.y >= box.y + box.height;
            EXPECT_TRUE(apart) << scale << ": " << i << " and " << j << ", asked " << asked;
          }
        }
      }
    }
  }
}

}  // namespace tilestep::ui::appearances_test
