// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "features/registry.h"
#include "gfx/drawing/frame_drawing.h"
#include "support/source_root.h"
#include "ui/shell/appearances.h"
#include "ui/shell/interface.h"
#include "ui/shell/layout.h"
#include "unit/model/fake_client.h"

namespace tilestep::ui {

/// The whole interface without a window. ImGui's frames are discarded, the null renderer gets the
/// scenes, and a toy worker answers.
class NullWindow : public ::testing::Test {
 protected:
  NullWindow() {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    compat::drawWithoutBackend();
    fonts = addFonts({}, 1, kLeastAtDesk);
    compat::makeReadable(*io.Fonts);
    model::SessionOptions options;
    options.home = support::sourceRoot();
    session = std::make_unique<model::Session>(options, features::makeFeatures());
  }
  ~NullWindow() override { ImGui::DestroyContext(); }

  /// Uses real fonts at a scale or, while presenting, at the size for the window.
  void useFonts(float width, float height, float scale) {
    ui.scale = scale;
    const TypeSize type = typeFor(ui, width, height, 1);
    fonts = addFonts(findFontFiles(), type.scale, type.leastPixels);
    compat::makeReadable(*ImGui::GetIO().Fonts);
  }

  void connect() {
    session->connect(std::make_unique<model::FakeClient>(log));
    answer(8);
    session->poll(now += 0.1);
  }

  void answer(int times = 1) {
    for (int i = 0; i < times; ++i) {
      session->poll(now += 0.1);
      log->answerRuns();
    }
  }

  /// Draws a few frames and returns the number of vertices of the last one.
  int draw(float width = 1600, float height = 1000) {
    for (int frame = 0; frame < 3; ++frame) drawOnce(width, height);
    return ImGui::GetDrawData()->TotalVtxCount;
  }
  void drawOnce(float width = 1600, float height = 1000) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {width, height};
    io.DeltaTime = 1.0F / 60;
    session->poll(now += 0.016);
    const gfx::Palette palette = paletteOf(ui.theme);
    applyStyle(palette, fonts.textPixels);
    ImGui::NewFrame();
    const auto snapshot = session->snapshot();
    const Context context{*snapshot, *session, ui, palette, fonts, fonts.textPixels, now};
    interface.draw(context, 1.0F, static_cast<int>(height));
    ImGui::Render();
  }

  /// The position of a text in the last frame; absent if it is not shown.
  [[nodiscard]] std::optional<gfx::Box> boxOfText(const std::string& text) const {
    for (const gfx::TextShape& piece : drawnTexts())
      if (piece.text == text) return piece.box;
    return std::nullopt;
  }
  [[nodiscard]] std::vector<gfx::TextShape> drawnTexts() const {
    std::vector<gfx::TextShape> texts;
    gfx::Drawing drawing = gfx::drawingOf(*ImGui::GetDrawData(), interface.scenes());
    for (gfx::Shape& shape : drawing.shapes)
      if (auto* text = std::get_if<gfx::TextShape>(&shape.what)) texts.push_back(std::move(*text));
    return texts;
  }
  void clickText(const std::string& text) {
    const std::optional<gfx::Box> box = boxOfText(text);
    ASSERT_TRUE(box) << text << " is not shown";
    clickAt({box->x + box->width / 2, box->y + box->height / 2});
  }
  void clickAt(ImVec2 place) {
    ImGuiIO& io = ImGui::GetIO();
    const ImVec2 size = io.DisplaySize;
    io.MousePos = place;
    for (const bool down : {false, true, false}) {
      io.MouseDown[ImGuiMouseButton_Left] = down;
      draw(size.x, size.y);
    }
    io.MousePos = {-1, -1};
    draw(size.x, size.y);
  }

  std::shared_ptr<model::FakeClient::Log> log = std::make_shared<model::FakeClient::Log>();
  std::unique_ptr<model::Session> session;
  gfx::NullRenderer renderer;
  Interface interface { &renderer };
  UiState ui;
  Fonts fonts;
  double now = 0;
};

}  // namespace tilestep::ui
