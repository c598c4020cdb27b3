// SPDX-License-Identifier: Apache-2.0
// Draws every panel into null frames: ImGui without a window, and scenes into the null renderer.
#include "ui/shell/interface.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <thread>

#include "base/files.h"
#include "base/hash.h"
#include "features/lessons/view.h"
#include "features/panel_registry.h"
#include "features/scene/panel_model.h"
#include "gfx/drawing/frame_drawing.h"
#include "model/scene/seeded_values.h"
#include "support/results.h"
#include "ui/shell/appearances.h"
#include "ui/shell/keys.h"
#include "ui/shell/state_file.h"
#include "unit/ui/null_window.h"

namespace tilestep::ui::interface_test {

using InterfaceTest = NullWindow;

TEST(Parts, EachIsDrawnByOneFeature) {
  for (size_t i = 0; i <= static_cast<size_t>(Part::threadMarks); ++i) {
    size_t count = 0;
    for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
      for (const auto& [part, drawer] : feature->parts()) count += part == static_cast<Part>(i);
    EXPECT_EQ(count, 1U) << "part " << i;
  }
}

TEST_F(InterfaceTest, DrawsBeforeAnythingIsKnown) {
  EXPECT_GT(draw(), 500);
  EXPECT_TRUE(renderer.calls().empty());
}

TEST_F(InterfaceTest, DrawsTwoScenesWithTheSameStep) {
  connect();
  draw();
  ASSERT_GE(renderer.calls().size(), 2U);
  const auto& left = renderer.calls()[renderer.calls().size() - 2];
  const auto& right = renderer.calls().back();
  EXPECT_EQ(left.layers->model->title, "naive");
  EXPECT_EQ(right.layers->model->title, "tiled");
  EXPECT_LT(left.view.viewport.x + left.view.viewport.width, right.view.viewport.x + 1);
}

/// Whether a shape of this kind is inside the box and satisfies `holds`.
template <class What, class Holds>
bool isThere(const gfx::Drawing& drawing, const gfx::Box& where, const Holds& holds) {
  return std::ranges::any_of(drawing.shapes, [&](const gfx::Shape& shape) {
    const auto* what = std::get_if<What>(&shape.what);
    const gfx::Box box = gfx::boundsOf(shape);
    return what != nullptr && where.contains(box.center()) && holds(*what);
  });
}

TEST_F(InterfaceTest, AFrameIsDescribedAsTextsAndShapesWithItsScenes) {
  connect();
  useFonts(1600, 1000, 1);
  draw();
  const gfx::Drawing drawing = gfx::drawingOf(*ImGui::GetDrawData(), interface.scenes());
  const gfx::Box all{0, 0, 1600, 1000}, scene = interface.scenes().back().view.viewport;
  EXPECT_TRUE(isThere<gfx::TextShape>(drawing, all, [&](const gfx::TextShape& text) {
    return text.text == session->snapshot()->sentence && text.box.height == fonts.largePixels;
  })) << "the sentence is one text";
  EXPECT_TRUE(isThere<gfx::TextShape>(drawing, scene, [](const gfx::TextShape& text) {
    return text.text == "Mds" && text.face == gfx::Typeface::strong;
  }));
  EXPECT_TRUE(isThere<gfx::BoxShape>(drawing, scene, [](const gfx::BoxShape& box) {
    return box.hatch == gfx::BoxShape::Hatch::rising;
  })) << "hatched elements of P, which are not written yet";
  ui.stage = Stage::runs;
  draw();
  EXPECT_TRUE(interface.scenes().empty());
}

TEST_F(InterfaceTest, TheSceneShowsTheTrace) {
  connect();
  draw();
  const gfx::SceneModel& model = *renderer.calls().back().layers->model;
  ASSERT_EQ(model.panels.size(), 3U);
  ASSERT_EQ(model.arrays.size(), 2U);
  EXPECT_EQ(model.arrays[0].name, "Mds");
  EXPECT_EQ(model.arrays[0].slots[1].origin, "M[0,1]");
  EXPECT_EQ(model.arrays[1].slots[4].origin, "N[1,0]");
  EXPECT_EQ(model.links.size(), 32U);  // One per load, because each element goes into a slot.
  ASSERT_EQ(model.threads.size(), 1U);
  EXPECT_EQ(model.threads[0].threads[0].terms, 0U);
  EXPECT_EQ(model.threads[0].threads[0].ofTerms, 8U);
  const gfx::SceneModel& comparison = *renderer.calls()[renderer.calls().size() - 2].layers->model;
  ASSERT_EQ(comparison.arrays.size(), 2U);
  EXPECT_TRUE(comparison.arrays[0].absent);
  EXPECT_EQ(comparison.threads[0].threads[0].terms, 4U);
}

TEST_F(InterfaceTest, MatricesOf4096HaveLevelsOfDetail) {
  connect();
  session->apply(model::command("choice.scene_size", "m", 4096));
  const auto is4096 = [&] {
    const auto& step = session->snapshot()->main;
    return step && step->side->result->plan.sizes.at("k") == 4096;
  };
  for (int i = 0; i < 5000 && !(is4096() && !session->snapshot()->busy.scene); ++i) {
    session->poll(now += 0.05);
    log->answerRuns();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ASSERT_TRUE(is4096());
  const auto drawUntilRest = [&] {
    do {
      draw();
    } while (interface.moving());
    draw();
    return renderer.calls().back().layers;
  };
  const auto fit = drawUntilRest();
  ASSERT_EQ(fit->matrices.size(), 3U);
  const gfx::MatrixQuad &left = fit->matrices[0], &product = fit->matrices[2];
  ASSERT_TRUE(left.picture);
  EXPECT_EQ(left.picture->rows, 1024U);
  // The mean of the first 16 elements of M.
  const model::SeededValues values(session->snapshot()->plan->operands[0], 0, 1);
  double sum = 0;
  for (uint32_t row = 0; row < 4; ++row) {
    std::array<float, 4> four{};
    values.read(row * 4096, 4, four.data());
    for (const float value : four) sum += double(value);
  }
  EXPECT_NEAR(left.picture->values[0], sum / 16, 1e-6);
  EXPECT_FALSE(left.detail.picture);
  EXPECT_TRUE(product.absent && !product.picture);
  EXPECT_EQ(product.detail.area, (gfx::CellRect{0, 0, 4, 4}));
  ui.blockWished = true;
  drawUntilRest();
  EXPECT_TRUE(ui.cameraMoved) << "zoomed to the block";
  ui.camera.fit();
  ui.camera.zoomAt(fit->layout.panels[0].box.center(), 400);
  const auto near = drawUntilRest();
  ASSERT_TRUE(near->matrices[0].detail.picture);
  for (const gfx::MatrixQuad& quad : near->matrices) {
    if (quad.detail.picture) {
      EXPECT_EQ(quad.detail.picture->columns, quad.detail.area.columns) << "cells, not means";
    }
  }
  const std::string caption = near->model->caption;
  EXPECT_TRUE(has(caption, "only block (0, 0) is run"));
}

TEST_F(InterfaceTest, TheTextsOfTheTopBarHaveOneBaseline) {
  connect();
  draw(1920, 1080);
  const std::optional<gfx::Box> find = boxOfText("find");
  ASSERT_TRUE(find);
  for (const char* text : {"Tilestep", "menu", "?"}) {
    const std::optional<gfx::Box> box = boxOfText(text);
    ASSERT_TRUE(box) << text;
    EXPECT_NEAR(box->center().y, find->center().y, 1) << text;
  }
}

TEST_F(InterfaceTest, ANoticeIsShownInTheStatusLineForAWhile) {
  connect();
  for (PanelWish& panel : ui.panels) panel.wanted = false;
  const int hints = draw();
  session->say({model::Notice::Kind::info, "picture", "Saved as a.png.", {}, {}});
  const int notice = draw();
  EXPECT_NE(notice, hints);
  now += 20;
  EXPECT_NE(draw(), notice) << "an informational notice expires";
  session->say({model::Notice::Kind::error, "picture", "Saved as a.png.", {}, {}});
  const int error = draw();
  now += 20;
  EXPECT_EQ(draw(), error) << "an error remains";
}

TEST_F(InterfaceTest, ALowWindowShowsANoticeOverTheSceneForAWhile) {
  connect();
  for (PanelWish& panel : ui.panels) panel.wanted = false;
  const auto isShown = [&] {
    draw(1280, 480);
    return std::ranges::any_of(drawnTexts(), [](const gfx::TextShape& text) {
      return text.text.find("Saved as a.png") != std::string::npos;
    });
  };
  EXPECT_FALSE(isShown());
  session->say({model::Notice::Kind::info, "picture", "Saved as a.png.", {}, {}});
  EXPECT_TRUE(isShown());
  now += 10;
  EXPECT_FALSE(isShown());
}

TEST_F(InterfaceTest, KeysChooseEveryStageInTheMiddle) {
  connect();
  const auto box = [&](std::string_view view) { return ui.boxOf(view); };
  size_t i = 0;
  for (const char32_t key : std::u32string(U"567890")) {
    handleKeys({{.text = key}}, *session, ui, false, false);
    EXPECT_EQ(ui.stage, static_cast<Stage>(i++));
    EXPECT_GT(draw(), 500);
    EXPECT_EQ(box("scene").height > 0, key == U'5');
    EXPECT_EQ(ui.isShown(Panel::source), key == U'5');
    EXPECT_GT(draw(1280, 720), 500);
  }
  EXPECT_TRUE(has(stateText(*session->snapshot(), ui, 1600, 1000), "\"stage\": \"runs\""));
  ui.presenting = true;  // The stage gets all the space.
  draw();
  EXPECT_FALSE(ui.isShown(Panel::measures));
}

TEST_F(InterfaceTest, TheChosenThreadIsDrawnInPanelAndScene) {
  connect();
  ui.threadView = true;
  const int without = draw();
  session->apply(model::command("threads.choose", Dim3{1, 2, 0}));
  EXPECT_NE(draw(), without);
  const gfx::SceneModel& model = *renderer.calls().back().layers->model;
  EXPECT_TRUE(model.threads[0].threads[9].followed);
  EXPECT_TRUE(model.arrays[0].slots[9].followed);  // The thread fills this slot in this step.
  const auto& marks = model.panels[0].highlights;
  EXPECT_TRUE(std::ranges::any_of(marks, [](const gfx::Highlight& mark) {
    return mark.mark == gfx::Mark::followed && mark.area == gfx::CellRect{2, 0, 1, 8};
  }));
  session->apply(model::command("threads.step"));
  for (int step = 0; step < 12; ++step) {
    EXPECT_GT(draw(1280, 720), 0);
    session->apply(model::command("steps.move", model::Move::forward));
  }
  EXPECT_TRUE(has(stateText(*session->snapshot(), ui, 1280, 720), "\"of_thread\": true"));
}

TEST_F(InterfaceTest, ACellNamesItsThread) {
  connect();
  session->apply(model::command("steps.move", model::Move::last));
  draw();
  const gfx::SceneModel& model = *renderer.calls().back().layers->model;
  const model::TracedStep& step = *session->snapshot()->main;
  using In = gfx::Place::In;
  EXPECT_EQ(features::threadAt(step, model, {In::panel, 2, 3, 1}), (Dim3{1, 3, 0}));
  EXPECT_EQ(features::threadAt(step, model, {In::panel, 2, 7, 7}),
            std::nullopt);  // The cell belongs to a different block.
  EXPECT_EQ(features::threadAt(step, model, {In::panel, 0, 0, 0}), std::nullopt);
  EXPECT_EQ(features::threadAt(step, model, {In::array, 1, 2, 3}), (Dim3{3, 2, 0}));
  EXPECT_EQ(features::threadAt(step, model, {In::threads, 0, 1, 2}), (Dim3{2, 1, 0}));
}

TEST_F(InterfaceTest, ALessonsStepShowsTheRequestedView) {
  connect();
  const std::string file = testing::TempDir() + "/the-ladder.md";
  ASSERT_TRUE(writeFileAtomically(
      file,
      "# A\n## one\n```toml\ntunables = { TILE_WIDTH = 2 }\n```\n## two\n```toml\nkernel = "
      "\"matmul_naive\"\nstage = \"sweeps\"\nsweep = \"ladder\"\n```\n"));
  ui.sweepAt = 3;
  session->apply(model::command("lessons.open", file));
  draw();
  EXPECT_EQ(ui.stage, Stage::scene);
  EXPECT_EQ(ui.sweep.kind, model::SweepKind::tunable);
  const std::string first = session->snapshot()->choice.kernel;
  EXPECT_FALSE(session->snapshot()->choice.tunables.at(first).empty());
  session->apply(model::command("lessons.step", 1));
  draw();
  EXPECT_FALSE(session->snapshot()->choice.tunables.contains(first))
      << "the tunable has its default";
  EXPECT_EQ(ui.stage, Stage::sweeps);
  EXPECT_EQ(ui.sweep.kind, model::SweepKind::ladder);
  EXPECT_FALSE(ui.sweepAt) << "the cell belonged to a different plot";
  // The user's own choice remains until another step is shown.
  ui.sweep.kind = model::SweepKind::sizes;
  draw();
  EXPECT_EQ(ui.sweep.kind, model::SweepKind::sizes);
}

TEST_F(InterfaceTest, MotionStartsWithAStepForwardAndEnds) {
  connect();
  draw();
  EXPECT_FALSE(interface.moving());
  session->apply(model::command("steps.move", model::Move::forward));
  draw();
  EXPECT_TRUE(interface.moving());
  now += 2;
  draw();
  EXPECT_FALSE(interface.moving());
  ui.motion = false;
  session->apply(model::command("steps.move", model::Move::forward));
  draw();
  EXPECT_FALSE(interface.moving());
}

}  // namespace tilestep::ui::interface_test
