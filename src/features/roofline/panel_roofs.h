// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "features/roofline/panel_frame.h"

/// The lines of the roofline's plot: roofs, the regions below them, and reference speeds.
namespace tilestep::features {

/// The highlighted roof with the regions below it, and the other roofs if all levels are drawn.
void drawRoofs(RoofFrame& frame);
/// Dashed lines at the speeds of reference programs.
void drawMarks(RoofFrame& frame);

/// Each roof's name along its line. Call after the points, which names do not cover.
void labelRoofs(RoofFrame& frame);
/// The highlighted ridge's intensity.
void labelRidge(RoofFrame& frame);
void labelMarks(RoofFrame& frame);
/// States on either side of the highlighted ridge which roof is above.
void labelRegions(RoofFrame& frame);

}  // namespace tilestep::features
