// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "gfx/window.h"
#include "ui/kit/context.h"

namespace tilestep::features {

/// The part of the first minute, its question and its buttons; writes the height it needs to
/// UiState::lessonHeight, because it stands where a lesson would.
void drawFirstMinute(const Context& context);

/// Begins it, with the few panels that it needs.
void beginFirstMinute(model::Session& session, UiState& ui);

/// While it is shown: Space, Right and Page Down go on, Left and Page Up go back, Esc leaves it.
/// False for other keys.
bool handleFirstMinute(const gfx::KeyEvent& event, model::Session& session);

}  // namespace tilestep::features
