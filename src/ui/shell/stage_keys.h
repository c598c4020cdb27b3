// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/window.h"
#include "ui/kit/context.h"

/// Keys of what stands in the middle, and of the lesson. Each returns whether it took the key.
/// The sweeps' are in features/sweeps/panel.h.
namespace tilestep::ui {

/// Zooming, moving and choosing where the timeline stands in the middle.
bool handleTimeline(const gfx::KeyEvent& event, model::Session& session, UiState& ui);

/// What moves and zooms a scene does so with the plot that stands in its place.
bool handlePlot(const gfx::KeyEvent& event, UiState& ui);
/// Characters that a plot on the stage takes.
bool handlePlotText(char32_t text, model::Session& session, UiState& ui);

/// Where the keys are at a lesson's choices: arrows walk, Space or Enter takes one.
bool handleChoices(const gfx::KeyEvent& event, model::Session& session, UiState& ui);
/// To the lesson's next step or back, where one is open.
bool turnPage(model::Session& session, bool forward);
/// Opens the first lesson, or closes the open one.
void toggleLesson(model::Session& session);

}  // namespace tilestep::ui
