// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "features/scene/panel.h"
#include "gfx/drawing/drawing.h"
#include "ui/kit/hidden_frame.h"

namespace tilestep::ui {

/// A picture for a page of steps, in both appearances of the page.
struct PagePanel {
  gfx::Drawing light, dark;
  gfx::Box box;  ///< What of the drawings is shown.
};

/// Draws what the window would show of a step, but as wide as a phone, with type to match. For the
/// main thread, and not within a frame.
class PagePainter {
 public:
  explicit PagePainter(const FontFiles& files) : frame_(files, 1, HiddenFrame::For::shapes) {}

  /// The scenes: the companion's, where there is one, and the main kernel's.
  [[nodiscard]] std::vector<PagePanel> scenes(const model::Snapshot& now, model::Session& session,
                                              const UiState& ui);
  /// What takes the scene's place in the middle of the window.
  [[nodiscard]] PagePanel stage(const model::Snapshot& now, model::Session& session,
                                const UiState& ui);
  /// The panel of one warp, or of one thread, as `ui` chooses.
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
  /// `draw` fills an ImGui window of that size.
  [[nodiscard]] gfx::Drawing drawing(const Request& request, Theme theme, const Draw& draw);
  [[nodiscard]] PagePanel panel(const Request& request, const Draw& draw);

  HiddenFrame frame_;
  ScenePanel scene_{nullptr};
};

}  // namespace tilestep::ui
