// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ui/kit/panels.h"
#include "ui/kit/plot.h"

/// The plot of the roofline, and what it shares with the panel.
namespace tilestep::ui {

[[nodiscard]] Mark markOf(metrics::Level level);
/// A point's name in the legend: "asked by lanes", "DRAM minimum".
[[nodiscard]] std::string nameOf(const metrics::RooflinePoint& point);
/// The highlighted level: the chosen one, or the one nearest to its roof. Nothing without points.
[[nodiscard]] std::optional<metrics::Level> focusOf(const Context& context);

/// Draws roofs, regions, points, trail, pins and marks into a rectangle. `large`: with labels, zoom
/// and pan.
void drawRooflinePlot(const Context& context, ImVec2 min, ImVec2 max, bool large);

}  // namespace tilestep::ui
