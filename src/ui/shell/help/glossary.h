// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ui/kit/legend.h"

namespace tilestep::ui {

/// Draws the glossary in a separate window while UiState::glossary is open: the marks of the open
/// stage, and CUDA's terms with a small picture each.
void drawGlossary(const Context& context, const std::vector<LegendMark>& marks);

void toggleGlossary(UiState& ui);

}  // namespace tilestep::ui
