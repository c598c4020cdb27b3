// SPDX-License-Identifier: Apache-2.0
#include "features/cube/panel.h"

#include <algorithm>
#include <string>

#include "ui/shell/keys.h"
#include "unit/ui/null_window.h"

namespace tilestep::features::cube_panel_test {

class CubePanel : public NullWindow {
 protected:
  void SetUp() override {
    useFonts(1600, 1000, 1);
    connect();
    ui.stage = Stage::cube;
    draw();
    draw();
  }
  void press(gfx::KeyEvent event) {
    handleKeys({event}, *session, ui, false, false);
    draw();
  }
};

TEST_F(CubePanel, LabelsStayInThePictureAtEveryTurn) {
  for (const float yaw : {CubeTurn::kLeast, CubeTurn::kMostYaw})
    for (const float pitch : {CubeTurn::kLeast, CubeTurn::kMostPitch}) {
      ui.cube = {yaw, pitch, false};
      draw(1280, 720);
      const gfx::Box stage = ui.boxOf("cube");
      for (const char* text : {"i: m = 8", "j: n = 8", "k = 8", "M", "N", "P"}) {
        const auto box = boxOfText(text);
        ASSERT_TRUE(box) << text << " at " << yaw << ", " << pitch;
        EXPECT_GE(box->x, stage.x);
        EXPECT_LE(box->x + box->width, stage.x + stage.width);
        EXPECT_GE(box->y, stage.y);
        EXPECT_LE(box->y + box->height, stage.y + stage.height);
      }
    }
}

TEST_F(CubePanel, OneKeySwitchesToTheFlatSceneAndBackAtTheSameStep) {
  session->apply(model::command("steps.move", model::Move::forward));
  draw();
  const size_t step = session->snapshot()->position.index;
  press({.text = U'.'});
  EXPECT_EQ(ui.stage, Stage::scene);
  press({.text = U'.'});
  EXPECT_EQ(ui.stage, Stage::cube);
  EXPECT_EQ(session->snapshot()->position.index, step);
}

TEST_F(CubePanel, AltArrowsTurnTheCubeAndFResetsIt) {
  press({.key = gfx::Key::right, .alt = true});
  EXPECT_GT(ui.cube.yaw, CubeTurn::kYaw);
  press({.key = gfx::Key::up, .alt = true});
  EXPECT_LT(ui.cube.pitch, CubeTurn::kPitch);
  EXPECT_FALSE(ui.cameraMoved) << "the scene's camera does not move";
  press({.text = U'f'});
  EXPECT_EQ(ui.cube, CubeTurn{});
  ui.stage = Stage::scene;
  press({.key = gfx::Key::right, .alt = true});
  EXPECT_EQ(ui.cube, CubeTurn{});
}

TEST_F(CubePanel, ZShowsOnlyTheBlock) {
  press({.text = U'z'});
  EXPECT_TRUE(ui.cube.blockAlone);
  EXPECT_TRUE(boxOfText("i = 0…3 of 8"));
  EXPECT_FALSE(boxOfText("i: m = 8"));
  EXPECT_FALSE(ui.blockWished) << "Z does not zoom the flat scene";
}

TEST_F(CubePanel, DraggingTurnsTheCubeAndADoubleClickResetsIt) {
  const gfx::Box stage = ui.boxOf("cube");
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = {stage.x + stage.width / 3, stage.y + stage.height / 2};
  draw();
  io.MouseDown[ImGuiMouseButton_Left] = true;
  draw();
  io.MousePos.x += 40;
  io.MousePos.y += 10;
  draw();
  io.MouseDown[ImGuiMouseButton_Left] = false;
  draw();
  EXPECT_GT(ui.cube.yaw, CubeTurn::kYaw);
  EXPECT_GT(ui.cube.pitch, CubeTurn::kPitch);
}

TEST_F(CubePanel, OtherKernelsGetAnExplanation) {
  session->apply(model::command("choice.kernel", std::string("matrix_sum")));
  answer(6);
  draw();
  draw();
  const auto texts = drawnTexts();
  EXPECT_TRUE(std::ranges::any_of(texts, [](const gfx::TextShape& text) {
    return text.text.find("The cube shows a product of two matrices") != std::string::npos;
  }));
}

TEST(CubePicture, ThousandPointsInARowAreOneQuad) {
  CubeStep step;
  step.separate = false;
  const CubeProjection projection(CubeTurn{}, {{0, 0, 0}, {4, 4, 1000}}, {0, 0, 400, 400});
  const auto quads =
      quadsOf({CubeSide::left, 0, 0, 0, 1000, {CubeTone::done, false}}, false, projection);
  ASSERT_EQ(quads.size(), 1U);
  EXPECT_EQ(quads.front().count, 1000U);
}

}  // namespace tilestep::features::cube_panel_test
