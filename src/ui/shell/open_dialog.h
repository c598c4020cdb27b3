// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/context.h"

namespace tilestep::ui {

/// Opens the dialogue that chooses a program's file; closes it if it is open.
void toggleOpenDialog(UiState& ui);
/// Moves the selection, or accepts the selected or typed entry.
void stepOpenDialog(UiState& ui, int by);
void takeOpenDialog(UiState& ui);

void drawOpenDialog(const Context& context);

}  // namespace tilestep::ui
