// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gfx/window.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// Handles the keys of one frame. Returns whether keyboard navigation is active afterwards.
/// `typing` is true if a text field has the focus. `walking` is true while keyboard navigation is
/// active (after Tab), so that Space and arrows go to the controls.
bool handleKeys(const std::vector<gfx::KeyEvent>& keys, model::Session& session, UiState& ui,
                bool typing, bool walking);

/// Begins the tour of the first minute, with the few panels that it needs.
void beginFirstMinute(model::Session& session, UiState& ui);

}  // namespace tilestep::ui
