// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/plot_view.h"

#include <gtest/gtest.h>

#include "unit/ui/kit/plot_frame.h"

namespace tilestep::ui::plot_view_test {

using PlotViewTest = PlotFrame;

TEST(PlotAxes, PositionsAndValuesAreInverse) {
  for (const bool logarithmic : {false, true}) {
    const PlotAxis axis{logarithmic, 2, 3000, ""};
    for (const double position : {-0.5, 0.0, 0.25, 1.0, 1.5})
      EXPECT_NEAR(positionOn(axis, valueOn(axis, position)), position, 1e-12) << logarithmic;
  }
  EXPECT_DOUBLE_EQ(valueOn({true, 1, 100, ""}, 0.5), 10);
}

TEST(PlotAxes, ALinearAxisFromZeroCanBeMadeLogarithmic) {
  AxisView view;
  view.otherScale = true;
  const PlotAxis axis = shownAxis({false, 0, 50, ""}, view, 2);
  EXPECT_TRUE(axis.logarithmic);
  EXPECT_DOUBLE_EQ(axis.low, 2);
  EXPECT_DOUBLE_EQ(shownAxis({false, 0, 50, ""}, view).low, 0.05);
  EXPECT_FALSE(shownAxis({true, 1, 10, ""}, view).logarithmic);
}

TEST(PlotAxes, ZoomKeepsTheValueUnderThePointer) {
  const PlotAxis whole{false, 0, 100, ""};
  AxisView view;
  zoomAxis(whole, whole, view, 0.25, 2);
  EXPECT_TRUE(view.moved);
  EXPECT_DOUBLE_EQ(view.low, 12.5);
  EXPECT_DOUBLE_EQ(view.high, 62.5);
  EXPECT_DOUBLE_EQ(valueOn(shownAxis(whole, view), 0.25), 25);
  const PlotAxis decades{true, 1, 1e4, ""};
  AxisView log;
  zoomAxis(decades, decades, log, 0.5, 2);
  EXPECT_NEAR(log.low, 10, 1e-9);
  EXPECT_NEAR(log.high, 1000, 1e-9);
}

TEST(PlotAxes, NeitherZoomNorPanLosesTheData) {
  const PlotAxis whole{false, 0, 100, ""};
  AxisView view;
  for (int i = 0; i < 500; ++i) zoomAxis(whole, shownAxis(whole, view), view, 0.3, 1.5);
  EXPECT_GT(view.high - view.low, 1e-6);
  EXPECT_LT(view.high - view.low, 1e-3);
  for (int i = 0; i < 500; ++i) zoomAxis(whole, shownAxis(whole, view), view, 0.3, 0.5);
  EXPECT_LE(view.high - view.low, 800);
  for (int i = 0; i < 500; ++i) panAxis(whole, shownAxis(whole, view), view, 0.3);
  EXPECT_LT(view.low, 100);
}

TEST_F(PlotViewTest, TheWheelZoomsBothAxesAboutThePointer) {
  frame();
  pointTo(0.5F, 0.5F);
  frame();
  EXPECT_TRUE(inside);
  ImGui::GetIO().MouseWheel = 1;
  frame();
  EXPECT_NEAR(view.x.low, 10, 0.1);
  EXPECT_NEAR(view.x.high, 90, 0.1);
  EXPECT_NEAR(view.y.low, 2, 0.05);
  EXPECT_TRUE(view.y.moved);
}

TEST_F(PlotViewTest, TheWheelBelowThePlotZoomsOnlyTheXAxis) {
  frame();
  ImGui::GetIO().MousePos = {at(0.5F, 0).x, max.y + 5};
  frame();
  EXPECT_FALSE(inside);
  ImGui::GetIO().MouseWheel = 1;
  frame();
  EXPECT_TRUE(view.x.moved);
  EXPECT_FALSE(view.y.moved);
}

TEST_F(PlotViewTest, DraggingMovesTheView) {
  frame();
  drag(0, at(0.6F, 0.5F), at(0.4F, 0.5F));
  EXPECT_NEAR(view.x.low, 20, 0.2);
  EXPECT_NEAR(view.x.high, 120, 0.2);
  EXPECT_FALSE(view.y.moved);
  EXPECT_FALSE(view.cursor.pinned) << "a drag is not a click";
}

TEST_F(PlotViewTest, TheRightButtonZoomsToTheDrawnBox) {
  frame();
  drag(1, at(0.2F, 0.0F), at(0.6F, 1.0F / 3));
  EXPECT_NEAR(view.x.low, 20, 0.2);
  EXPECT_NEAR(view.x.high, 60, 0.2);
  EXPECT_NEAR(view.y.low, 1, 0.02);
  EXPECT_NEAR(view.y.high, 10, 0.2);
  keys.reset = true;
  frame();
  EXPECT_EQ(view, PlotView{});
}

TEST_F(PlotViewTest, AClickPinsTheCursorAndASecondRemovesIt) {
  frame();
  drag(0, at(0.3F, 0.5F), at(0.3F, 0.5F));
  ASSERT_TRUE(view.cursor.pinned);
  EXPECT_NEAR(*view.cursor.shown(), 30, 0.2);
  ImGui::GetIO().MouseDoubleClickTime = 0;
  drag(0, at(0.3F, 0.5F), at(0.3F, 0.5F));
  EXPECT_FALSE(view.cursor.pinned);
}

TEST_F(PlotViewTest, KeysDoTheSameAsTheMouse) {
  frame();
  keys.zoom = 1;
  frame();
  EXPECT_EQ(keys, PlotKeys{}) << "they are reset";
  EXPECT_NEAR(view.x.low, 10, 1e-6);
  keys.panX = 1;
  frame();
  EXPECT_NEAR(view.x.low, 18, 1e-6);
  keys.cursor = 1;
  frame();
  EXPECT_NEAR(*view.cursor.pinned, 58.8, 1e-6);
  keys.otherY = true;
  frame();
  EXPECT_TRUE(view.y.otherScale);
  EXPECT_FALSE(view.y.moved);
}

TEST_F(PlotViewTest, CursorsChangesAndReadoutsStayInTheFrame) {
  frame();
  const int empty = vertices;
  frame([](Plot& plot) {
    EXPECT_TRUE(plot.change(40, "TILE_WIDTH 8", 0xffffffffU, 0xffffffffU));
    EXPECT_FALSE(plot.change(41, "TILE_WIDTH 16", 0xffffffffU, 0xffffffffU)) << "no space";
    EXPECT_FALSE(plot.change(140, "outside", 0xffffffffU, 0xffffffffU));
    plot.cursor(50, 0xffffffffU);
    plot.readout(99, {{"12 ms", 0xffffffffU}, {"3 TFLOP/s", 0}});
  });
  EXPECT_GT(vertices, empty + 40);
  EXPECT_NEAR(valueOn(wholeX, positionOn(wholeX, 7)), 7, 1e-12);
}

}  // namespace tilestep::ui::plot_view_test
