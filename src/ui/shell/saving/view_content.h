// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "ui/kit/parts.h"

namespace tilestep::ui {

/// Draws one view alone, without the widgets around it.
class ViewContent {
 public:
  /// `renderer` may be null and must outlive this.
  explicit ViewContent(gfx::Renderer* renderer) : scene_(makeScene(renderer)) {}

  /// Whether the view has a picture; steps and tiles, for instance, are only tables.
  [[nodiscard]] static bool hasPicture(std::string_view view);
  /// Whether the view can be drawn now: it has a picture, and its content has been made.
  [[nodiscard]] static bool canDraw(std::string_view view, const Context& context);
  /// Whether an open question covers the whole view.
  [[nodiscard]] static bool isCovered(const Context& context, std::string_view view);
  /// Sets the UI state in which the window shows the view.
  static void choose(std::string_view view, UiState& ui);

  /// Fills the open ImGui window. `frameHeight` is in pixels.
  void draw(const Context& context, std::string_view view, float density, int frameHeight);

  /// The scenes of the last draw(), which are drawn below everything else.
  [[nodiscard]] const std::vector<gfx::SceneCall>& scenes() const { return scene_->shown(); }
  /// Whether details of large matrices are still being made.
  [[nodiscard]] bool moving() const { return scene_->moving(); }
  /// Whether a large matrix was drawn without its values because they are still being read.
  [[nodiscard]] bool lacksValues() const;

 private:
  void drawWhole(const Context& context, std::string_view view, float density, int frameHeight);

  std::unique_ptr<ScenePart> scene_;
  PartDrawer source_ = partOf(Part::source), phases_ = partOf(Part::phaseTable);
};

}  // namespace tilestep::ui
