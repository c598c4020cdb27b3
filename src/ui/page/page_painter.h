// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gfx/drawing/drawing.h"
#include "ui/kit/hidden_frame.h"
#include "ui/kit/parts.h"

namespace tilestep::ui {

/// A picture for a page of steps, in both of the page's themes.
struct PagePanel {
  gfx::Drawing light, dark;
  gfx::Box box;  ///< The visible part of the drawings.
};

/// Draws the window's views of a step at the width of a phone, with matching type. Main thread
/// only, outside a frame.
class PagePainter {
 public:
  explicit PagePainter(const FontFiles& files) : frame_(files, 1, HiddenFrame::For::shapes) {}

  /// The companion's scene, if there is a companion, followed by the main kernel's scene.
  [[nodiscard]] std::vector<PagePanel> scenes(const model::Snapshot& now, model::Session& session,
                                              const UiState& ui);
  /// The view that replaces the scene in the middle of the window.
  [[nodiscard]] PagePanel stage(const model::Snapshot& now, model::Session& session,
                                const UiState& ui);
  /// The panel of one warp or one thread, as chosen in `ui`.
  [[nodiscard]] PagePanel detail(const model::Snapshot& now, model::Session& session,
                                 const UiState& ui);

 private:
  struct Request {
    const model::Snapshot& now;
    model::Session& session;
    const UiState& ui;
    float width, height;
  };
  using Draw = HiddenFrame::Draw;
  /// `draw` fills an ImGui window of the requested size.
  [[nodiscard]] gfx::Drawing drawing(const Request& request, Theme theme, const Draw& draw);
  [[nodiscard]] PagePanel panel(const Request& request, const Draw& draw);

  HiddenFrame frame_;
  std::unique_ptr<ScenePart> scene_ = makeScene(nullptr);
};

}  // namespace tilestep::ui
