// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "gfx/window.h"
#include "ui/kit/context.h"

namespace tilestep::features {

/// The open lesson's step. Writes the height that it needs to UiState::lessonHeight.
void drawLesson(const Context& context);
/// Its title and texts, for a picture.
void drawLessonText(const Context& context);

/// Page Down and Page Up go through the open lesson. Forward, its text is scrolled to its end
/// first, and at an open question the answer is revealed. They act regardless of the keyboard
/// focus, because a presenter's clicker has no other keys.
bool handlePages(const gfx::KeyEvent& event, model::Session& session, UiState& ui);
/// While a lesson's choices have the keyboard, arrows move between them and Space or Enter selects
/// one.
bool handleChoices(const gfx::KeyEvent& event, model::Session& session, UiState& ui);
/// Opens the first lesson that is not finished, or closes the open one.
void toggleLesson(model::Session& session);

}  // namespace tilestep::features
