// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/window.h"
#include "ui/kit/context.h"

/// Keys for the stage (the middle of the window), for code and for lessons. A bool result says
/// whether the key was handled. The keys for sweeps are in features/sweeps/panel.h.
namespace tilestep::ui {

/// The keys that pan and zoom the scene do the same for a plot on the stage.
bool handlePlot(const gfx::KeyEvent& event, UiState& ui);
/// Handles characters for a plot on the stage.
bool handlePlotText(char32_t text, model::Session& session, UiState& ui);

}  // namespace tilestep::ui

namespace tilestep::features {

/// Zooms, pans and chooses a block while the timeline is on the stage.
bool handleTimeline(const gfx::KeyEvent& event, model::Session& session, ui::UiState& ui);

/// Turns the cube while it is on the stage, and switches between it and the flat scene.
bool handleCube(const gfx::KeyEvent& event, ui::UiState& ui);

/// Whether the key ends the focus of the code, so that letters are commands again: keys that step,
/// and on the scene's stage also N, which steps through the executions of the clicked line.
bool leavesCode(const gfx::KeyEvent& event, const ui::UiState& ui);
/// Whether it is a character typed into read-only code, which is then not a command.
bool isTypedIntoCode(const gfx::KeyEvent& event, const ui::UiState& ui);

/// While a lesson's choices have the keyboard, arrows move between them and Space or Enter selects
/// one.
bool handleChoices(const gfx::KeyEvent& event, model::Session& session, ui::UiState& ui);
/// Goes to the next or previous step of the open lesson. Forward, it first scrolls the step's text
/// to its end, and at an open question it reveals the answer. False if no lesson is open.
bool turnPage(model::Session& session, ui::UiState& ui, bool forward);
/// While a lab waits for a prediction, Page Down skips it and Esc leaves the lab.
bool handlePrediction(const gfx::KeyEvent& event, model::Session& session);
/// Opens the first lesson that is not finished, or closes the open one.
void toggleLesson(model::Session& session);

}  // namespace tilestep::features
