// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "gfx/window.h"
#include "ui/kit/context.h"

namespace tilestep::features {

/// Draws the open lesson's step. Writes the required height to UiState::lessonHeight.
void drawLesson(const Context& context);
/// Draws the open lesson's title and texts, for a picture.
void drawLessonText(const Context& context);

/// Page Down and Page Up move through the open lesson. Page Down first scrolls the text to its end
/// and reveals the answer to an open question. These keys work regardless of the keyboard focus,
/// because a presenter's clicker has no other keys.
bool handlePages(const gfx::KeyEvent& event, model::Session& session, UiState& ui);
/// Arrow keys move between choices that have the keyboard focus; Space or Enter selects one.
bool handleChoices(const gfx::KeyEvent& event, model::Session& session, UiState& ui);
/// Opens the first unfinished lesson, or closes the open lesson.
void toggleLesson(model::Session& session);

}  // namespace tilestep::features
