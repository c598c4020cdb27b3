// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/camera.h"
#include "ui/context.h"

namespace tilestep::ui {

/// Where the panels stand in the window. A folded panel has no area.
struct PanelLayout {
  gfx::Box top, controls, scene, source, step, measures, transport;
  gfx::Box controlsGrip, measuresGrip, sourceGrip;  ///< Splitters between them.
};

/// Fixed splits with splitters; the same state and size give the same layout. Pure. Panels keep a
/// least size; when the window is too narrow the scene yields first. `em`: interface font, pixels.
[[nodiscard]] PanelLayout layOut(const UiState& ui, float width, float height, float em);

}  // namespace tilestep::ui
