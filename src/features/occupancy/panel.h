// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "ui/kit/context.h"

/// These functions draw into the current ImGui window.
namespace tilestep::features {

/// The occupancy of a multiprocessor, the limiting resource, and the effect of the slider.
void drawOccupancy(const Context& context, float height);
/// A list of known devices on which the kernel can be evaluated. Draws nothing if there are none.
void drawWhatIf(const Context& context);

}  // namespace tilestep::features
