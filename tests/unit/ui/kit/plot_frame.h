// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include "ui/kit/plot_view.h"

namespace tilestep::ui {

/// Makes ImGui frames with one plot each, without a window. The plot's frame has a fixed position.
class PlotFrame : public ::testing::Test {
 protected:
  PlotFrame() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    compat::drawWithoutBackend();
    compat::buildFonts(*io.Fonts);
    io.DisplaySize = {1000, 600};
    io.DeltaTime = 1.0F / 60;
    io.MousePos = {-1, -1};
  }
  ~PlotFrame() override { ImGui::DestroyContext(); }

  /// Makes one frame: `draw` gets the plot, and then the mouse is handled.
  template <class Draw>
  void frame(Draw draw) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({1000, 600});
    ImGui::Begin("plot", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
    const PlotAxis x = shownAxis(wholeX, view.x), y = shownAxis(wholeY, view.y);
    Plot plot(*ImGui::GetWindowDrawList(), {10, 10}, {990, 590}, x, y, {});
    min = plot.min();
    max = plot.max();
    draw(plot);
    inside = plotInput("a", plot, wholeX, wholeY, view.x, view.y, view.cursor, input);
    ImGui::End();
    ImGui::Render();
    vertices = ImGui::GetDrawData()->TotalVtxCount;
    ImGui::GetIO().MouseWheel = 0;
  }
  void frame() {
    frame([](Plot&) {});
  }
  /// The point at a fraction of the frame's width and height, from the lower left corner.
  [[nodiscard]] ImVec2 at(float x, float y) const {
    return {min.x + x * (max.x - min.x), max.y - y * (max.y - min.y)};
  }
  void pointTo(float x, float y) { ImGui::GetIO().MousePos = at(x, y); }
  /// Presses, moves and releases the button, in one frame each.
  void drag(int button, ImVec2 from, ImVec2 to) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = from;
    frame();
    io.MouseDown[button] = true;
    frame();
    io.MousePos = to;
    frame();
    io.MouseDown[button] = false;
    frame();
  }

  PlotAxis wholeX{false, 0, 100, "x"}, wholeY{true, 1, 1000, "y"};
  PlotView view;
  PlotKeys keys;
  PlotInput input{true, true, &keys};
  ImVec2 min{}, max{};
  bool inside = false;
  int vertices = 0;
};

}  // namespace tilestep::ui
