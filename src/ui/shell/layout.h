// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/camera.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// The panels' boxes in the window, in pixels. A folded panel has no area. Nor has the stage (the
/// scene, or what replaces it) where a lesson or a requested panel leaves it too little room.
struct PanelLayout {
  gfx::Box top, controls, tabs, lesson, stage, source, step, measures, transport, status;
  gfx::Box code;  ///< The running lines, below the scene of a presentation or a lesson.
  /// The newest notice where no line is for it: below the stage, or below a lesson's column.
  gfx::Box notice;
  gfx::Box controlsGrip, measuresGrip, sourceGrip;  ///< The splitters between them.
};

/// Which panels are shown: those that leave enough room for the stage. Of the side panels, the one
/// that was requested last comes first and is always shown; without requests, the measures come
/// before the controls. Pure.
[[nodiscard]] std::array<bool, kPanels> panelsWithRoom(const UiState& ui, float width, float height,
                                                       float em);

/// Whether the window is too low for bars of their full height. Pure.
[[nodiscard]] bool isLow(float height, float em);
/// Whether it is too low even for a scrubber. Pure.
[[nodiscard]] bool isVeryLow(float height, float em);

/// Whether the text of the open lesson (or the tour) stands in a column beside the stage, because
/// the window is wide enough; otherwise it stands above the stage. Pure.
[[nodiscard]] bool isLessonBeside(const UiState& ui, float width, float em);

/// Folds a panel that is shown; requests one that is not.
void togglePanel(UiState& ui, Panel panel);

/// Switches the desk between the lesson's density and the lab's.
void toggleDensity(UiState& ui);

/// What needs room at this moment.
struct LayoutNeeds {
  unsigned runningLines = 3;  ///< Below a presented scene, where it has the room.
  float notice = 0;           ///< The height of the notice; 0: there is none.
};

/// Lays out the panels, which keep a minimum size. Pure: the same state and size give the same
/// layout. `em`: the size of the interface font in pixels.
[[nodiscard]] PanelLayout layOut(const UiState& ui, float width, float height, float em,
                                 const LayoutNeeds& needs = {});

}  // namespace tilestep::ui
