// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "ui/kit/context.h"

namespace tilestep::features {

/// Opens the list of lessons, labs and exercises.
inline void openLearn(UiState& ui) {
  ui.course = {.open = true, .isFresh = true};
}

/// Draws that list, or the course plan for teachers, in a separate window while UiState::course is
/// open.
void drawCourse(const Context& context);

}  // namespace tilestep::features
