// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/launch_ratios.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// Draws one row per ratio: its name, the base's amount, the launch's own amount, and the ratio in
/// words with a bar for each amount. Hovering over a row shows its hover text and the quotient.
/// `own` and `base` are the headings of the amounts; without a `base`, only own amounts are shown.
/// In a narrow panel, the amounts are below their name.
void drawRatios(const Context& context, const std::vector<model::Ratio>& rows,
                const std::string& own, const std::string& base);

}  // namespace tilestep::ui
