// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ui/kit/plot.h"

/// The names of the roofs in the plot of the roofline.
namespace tilestep::ui {

/// The name of a line, which runs from one point to another in data coordinates.
struct RoofName {
  PlotPoint from, to;
  std::vector<std::string> texts;  ///< The first one that has room is written.
  ImU32 colour = 0;
};

/// Writes each name beside its own line, where that line is by far the nearest of all lines here
/// and nothing else is written. A name without such a place is left out. The first names choose
/// first. `box`: the background of the texts.
void nameRoofs(Plot& plot, const std::vector<RoofName>& names, ImU32 box);

}  // namespace tilestep::ui
