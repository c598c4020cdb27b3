// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ui/kit/legend.h"

/// Draws into the current ImGui window.
namespace tilestep::ui {

void drawRoofline(const Context& context, float height);

/// The meaning of the marks on the stage. `context` must outlive them.
[[nodiscard]] std::vector<LegendMark> rooflineMarks(const Context& context);

}  // namespace tilestep::ui
