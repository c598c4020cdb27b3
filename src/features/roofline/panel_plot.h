// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ui/kit/plot.h"
#include "ui/shell/panels.h"

/// The roofline's plot itself, and what its panel shares with it.
namespace tilestep::ui {

[[nodiscard]] Mark markOf(metrics::Level level);
/// "asked by lanes", "DRAM minimum": as the legend calls a point.
[[nodiscard]] std::string nameOf(const metrics::RooflinePoint& point);
/// The level that is brought out: chosen, or the one nearest to its roof. Nothing without points.
[[nodiscard]] std::optional<metrics::Level> focusOf(const Context& context);

/// Draws roofs, regions, points, trail, pins and marks into a rectangle. `large`: with words in it,
/// zoom and pan.
void drawRooflinePlot(const Context& context, ImVec2 min, ImVec2 max, bool large);

}  // namespace tilestep::ui
