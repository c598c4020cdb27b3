// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ui/kit/legend.h"

namespace tilestep::ui {

/// What the marks of the open stage mean, and the terms of the field with a small picture each.
/// Draws a window of its own while UiState::glossary is open.
void drawGlossary(const Context& context, const std::vector<LegendMark>& marks);

/// Opens or closes it.
void toggleGlossary(UiState& ui);

}  // namespace tilestep::ui
