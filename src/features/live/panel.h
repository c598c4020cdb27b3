// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ui/kit/legend.h"

/// Fills the current ImGui window.
namespace tilestep::ui {

void drawLive(const Context& context);

/// What the marks mean that are on the stage now. `context` must outlive them.
[[nodiscard]] std::vector<LegendMark> liveMarks(const Context& context);

}  // namespace tilestep::ui
