// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "features/names.h"
#include "features/roofline/roofline_view.h"
#include "ui/kit/panels.h"
#include "ui/kit/plot.h"

/// The plot of the roofline, and definitions that the panel shares.
namespace tilestep::features {

[[nodiscard]] Mark markOf(metrics::Level level);
/// A level's name: "asked by lanes", "DRAM minimum".
[[nodiscard]] std::string nameOf(const metrics::RooflinePoint& point);
/// The highlighted level: the chosen one, or the one nearest to its roof. Absent without points.
[[nodiscard]] std::optional<metrics::Level> focusOf(const Context& context);

struct RoofAxes {
  PlotAxis x, y;
};
/// The axes without zoom. They include all points and roofs that the plot may show. `levels`
/// includes every level, not only the highlighted one.
[[nodiscard]] RoofAxes roofAxesOf(const RooflineView& view, std::optional<metrics::Level> focus,
                                  bool levels);

/// Draws the plot into a rectangle. `large` adds labels, zooming and panning.
void drawRooflinePlot(const Context& context, ImVec2 min, ImVec2 max, bool large);

}  // namespace tilestep::features
