// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/scene/panel.h"
#include "features/source/panel.h"
#include "gfx/renderer.h"
#include "ui/kit/panels.h"
#include "ui/shell/layout.h"

namespace tilestep::ui {

/// Draws all panels into the current ImGui frame. It does not depend on a window, so tests draw it
/// without a display.
class Interface {
 public:
  /// `renderer` may be null and must outlive the interface.
  explicit Interface(gfx::Renderer* renderer) : scene_(renderer) {}

  /// Call between NewFrame and Render. `framebufferHeight` is in pixels.
  void draw(const Context& context, float framebufferScale, int framebufferHeight);
  /// True while further frames are needed without an event (ScenePanel::moving).
  [[nodiscard]] bool moving() const { return sceneShown_ && scene_.moving(); }
  /// The scenes of the last frame.
  [[nodiscard]] std::vector<gfx::SceneCall> scenes() const {
    return sceneShown_ ? scene_.shown() : std::vector<gfx::SceneCall>();
  }
  /// The panel in which keyboard navigation begins: the controls, or the top bar if they are
  /// hidden.
  [[nodiscard]] const char* walkStart() const { return walkStart_; }

 private:
  void drawSplitters(const Context& context, const PanelLayout& layout);

  features::ScenePanel scene_;
  features::SourcePanel source_;
  features::RunningLines running_;
  bool sceneShown_ = true;
  const char* walkStart_ = "##top";
};

}  // namespace tilestep::ui
