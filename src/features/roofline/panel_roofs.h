// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "features/roofline/panel_frame.h"

/// Draws the lines of the roofline's plot: roofs, the regions below them, and reference speeds.
namespace tilestep::features {

/// The highlighted roof with the regions below it, and the other roofs if all levels are drawn.
void drawRoofs(RoofFrame& frame);
/// Dashed lines at the speeds of reference programs.
void drawMarks(RoofFrame& frame);

/// Writes each roof's name along its line. Call after the points, so that names do not cover them.
void labelRoofs(RoofFrame& frame);
/// Writes the intensity of the highlighted ridge.
void labelRidge(RoofFrame& frame);
void labelMarks(RoofFrame& frame);
/// Names the limiting roof on each side of the highlighted ridge.
void labelRegions(RoofFrame& frame);

}  // namespace tilestep::features
