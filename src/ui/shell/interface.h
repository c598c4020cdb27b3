// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/renderer.h"
#include "ui/kit/parts.h"
#include "ui/shell/layout.h"

namespace tilestep::ui {

/// Draws all panels into the current ImGui frame. It does not depend on a window, so tests draw it
/// without a display.
class Interface {
 public:
  /// `renderer` may be null and must outlive the interface.
  explicit Interface(gfx::Renderer* renderer) : scene_(makeScene(renderer)) {}

  /// Call between NewFrame and Render. `framebufferHeight` is in pixels.
  void draw(const Context& context, float framebufferScale, int framebufferHeight);
  /// True while further frames are needed without an event (ScenePart::moving).
  [[nodiscard]] bool moving() const { return sceneShown_ && scene_->moving(); }
  [[nodiscard]] std::vector<gfx::SceneCall> scenes() const {
    return sceneShown_ ? scene_->shown() : std::vector<gfx::SceneCall>();
  }
  /// The panel in which keyboard navigation begins: the controls, or the top bar if they are
  /// hidden.
  [[nodiscard]] const char* walkStart() const { return walkStart_; }

 private:
  void drawSplitters(const Context& context, const PanelLayout& layout);

  std::unique_ptr<ScenePart> scene_;
  PartDrawer source_ = partOf(Part::source), running_ = partOf(Part::runningLines);
  bool sceneShown_ = true;
  const char* walkStart_ = "##top";
};

}  // namespace tilestep::ui
