// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/context.h"

namespace tilestep::ui {

/// What the scene's colours and marks mean, and the terms of the field with a small picture each.
/// Draws a window of its own while UiState::glossary is open.
void drawGlossary(const Context& context);

/// Opens or closes it.
void toggleGlossary(UiState& ui);

}  // namespace tilestep::ui
