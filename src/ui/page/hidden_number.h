// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gfx/drawing/drawing.h"

namespace tilestep::ui {

/// Replaces a number's digits by question marks if it is a count, as in "8×" or "224 wrong". Sizes
/// ("8 × 8"), indices and values stay visible, because a question may mention them.
void hideNumber(gfx::Drawing& drawing, double number);

}  // namespace tilestep::ui
