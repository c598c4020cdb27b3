// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "features/roofline/panel_frame.h"

/// Draws the points under the roofs: of this run, and of other runs and kernels.
namespace tilestep::features {

/// Earlier choices of this kernel at the highlighted level, fading with age.
void drawTrail(RoofFrame& frame);
void drawPins(RoofFrame& frame);
/// The ladder's rungs at the highlighted level.
void drawRungs(RoofFrame& frame);
/// The points of this run; the highlighted point is in front.
void drawPoints(RoofFrame& frame);

/// The highlighted point's kernel and figures, and the names of the other kernels.
void labelPoints(RoofFrame& frame);
/// The rungs' numbers. Call last, because all other labels have precedence.
void labelRungs(RoofFrame& frame);
void labelPins(RoofFrame& frame);

}  // namespace tilestep::features
