// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/context.h"

namespace tilestep::ui {

/// Draws the course's plan in a window of its own while UiState::course is open.
void drawCourse(const Context& context);

}  // namespace tilestep::ui
