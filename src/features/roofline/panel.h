// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "features/names.h"
#include "ui/kit/legend.h"

/// Draws into the current ImGui window.
namespace tilestep::features {

void drawRoofline(const Context& context, float height);

/// The legend of the marks on the stage. `context` must outlive the result.
[[nodiscard]] std::vector<LegendMark> rooflineMarks(const Context& context);

}  // namespace tilestep::features
