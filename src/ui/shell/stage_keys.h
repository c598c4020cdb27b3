// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/window.h"
#include "ui/kit/context.h"

/// Keys for plots on the stage (the middle of the window) and for code. The handle… functions
/// return whether they handled the key.
namespace tilestep::ui {

/// The keys that pan and zoom the scene do the same for a plot on the stage.
bool handlePlot(const gfx::KeyEvent& event, UiState& ui);
bool handlePlotText(char32_t text, UiState& ui);

/// Whether the key ends the focus of the code, so that letters are commands again. These are the
/// keys that step and, on the scene's stage, N, which steps through the executions of the clicked
/// line.
bool leavesCode(const gfx::KeyEvent& event, const UiState& ui);
/// Whether the key is a character typed into read-only code, which is then not a command.
bool isTypedIntoCode(const gfx::KeyEvent& event, const UiState& ui);

}  // namespace tilestep::ui
