// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/camera.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// Where the panels stand in the window. A folded panel has no area; nor has the stage (the scene,
/// or what stands there instead) where a panel that was asked for leaves it none worth looking at.
struct PanelLayout {
  gfx::Box top, controls, tabs, lesson, stage, source, step, measures, transport;
  gfx::Box controlsGrip, measuresGrip, sourceGrip;  ///< Splitters between them.
};

/// Which panels there is room for beside a scene worth looking at. Those that somebody asked for
/// come first, the newest before all, and it always gets its place; then measures, then controls.
/// Pure.
[[nodiscard]] std::array<bool, kPanels> panelsWithRoom(const UiState& ui, float width, float height,
                                                       float em);

/// Too low for bars of their full height. Pure.
[[nodiscard]] bool isLow(float height, float em);
/// Too low for a scrubber, too. Pure.
[[nodiscard]] bool isVeryLow(float height, float em);

/// Folds a panel that is shown; asks for one that is not.
void togglePanel(UiState& ui, Panel panel);

/// Fixed splits with splitters; the same state and size give the same layout. Pure. Panels keep a
/// least size. `em`: interface font, pixels.
[[nodiscard]] PanelLayout layOut(const UiState& ui, float width, float height, float em);

}  // namespace tilestep::ui
