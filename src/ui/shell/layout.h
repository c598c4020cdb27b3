// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/camera.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// The panels' boxes in the window, in pixels. A folded panel has no area. Nor has the stage (the
/// scene, or what replaces it) if a lesson or a requested panel leaves too little space.
struct PanelLayout {
  gfx::Box top, controls, tabs, lesson, stage, source, step, measures, transport, status;
  gfx::Box code;  ///< The running lines, below the scene in a presentation or a lesson.
  /// The newest notice, below the stage or below a lesson's column; empty if there is a status
  /// line.
  gfx::Box notice;
  gfx::Box controlsGrip, measuresGrip, sourceGrip;  ///< The splitters between them.
};

/// Selects the panels that leave enough space for the stage. The side panel that was requested last
/// is always shown; without requests, the measures take precedence over the controls. Pure.
[[nodiscard]] std::array<bool, kPanels> panelsWithRoom(const UiState& ui, float width, float height,
                                                       float em);

/// Whether the window is too low for full-height bars. Pure.
[[nodiscard]] bool isLow(float height, float em);
/// Whether the window is too low even for a scrubber. Pure.
[[nodiscard]] bool isVeryLow(float height, float em);

/// Whether the window is wide enough for the text of the open lesson (or the tour) to be in a
/// column beside the stage; otherwise it is above the stage. Pure.
[[nodiscard]] bool isLessonBeside(const UiState& ui, float width, float em);

/// Folds a visible panel; requests a hidden one.
void togglePanel(UiState& ui, Panel panel);

/// Shows and marks a source line that a message refers to. N then visits the line's steps.
void chooseLine(UiState& ui, uint32_t line);

/// Switches the desk between the lesson's density and the lab's.
void toggleDensity(UiState& ui);

/// The content that needs space in the current frame.
struct LayoutNeeds {
  unsigned runningLines = 3;  ///< Below a presented scene, if there is space.
  float notice = 0;           ///< The height of the notice; 0 if there is none.
};

/// Lays out the panels, which keep a minimum size. Pure: the same state and size give the same
/// layout. `em`: the size of the interface font in pixels.
[[nodiscard]] PanelLayout layOut(const UiState& ui, float width, float height, float em,
                                 const LayoutNeeds& needs = {});

}  // namespace tilestep::ui
