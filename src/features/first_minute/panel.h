// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "gfx/window.h"
#include "ui/kit/context.h"

namespace tilestep::features {

/// Draws the part of the tour, its question and its buttons, and writes the required height to
/// UiState::lessonHeight, because it takes a lesson's place.
void drawFirstMinute(const Context& context);

/// Begins the tour with the few panels that it needs.
void beginFirstMinute(model::Session& session, UiState& ui);

/// Keys while the tour is shown: Space, Right and Page Down continue, Left and Page Up go back, Esc
/// leaves it. False for other keys.
bool handleFirstMinute(const gfx::KeyEvent& event, model::Session& session);

}  // namespace tilestep::features
