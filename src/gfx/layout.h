// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gfx/camera.h"
#include "gfx/scene.h"

namespace tilestep::gfx {

struct LayoutRequest {
  float width = 0, height = 0;  ///< The viewport, in ImGui coordinates.
  float textHeight = 16;        ///< The interface font's, as drawn now; gives headers their room.
};

/// A grid of cells in world coordinates.
struct Grid {
  Box box;                 ///< The cells' area, without header.
  float cell = 0;          ///< Edge of one cell; cells are square.
  float headerHeight = 0;  ///< Room kept free above the box.
  [[nodiscard]] Box cellBox(uint32_t row, uint32_t column) const {
    return {box.x + float(column) * cell, box.y + float(row) * cell, cell, cell};
  }
};

/// WHERE everything stands; parallel to SceneModel's panels, arrays and threads.
struct Layout {
  std::vector<Grid> panels, arrays, threads;
  Point title;  ///< Upper left corner of the title line.
  float textHeight = 16;
  Box bounds;  ///< All of it.
  Box corner;  ///< Free room above M and left of N, for a figure or a sentence of the panels' own;
               ///< empty where panels are no L.
};

/// Products stand as an L (N above, M left, P in the corner) with shared arrays and accumulators
/// below or beside it, whichever makes cells larger; else inputs, shared arrays, outputs from left
/// to right. Where a small box leaves nothing for the slots, headers shrink (Layout::textHeight
/// says to what). Depends on roles and sizes only, never on values: nothing jumps while stepping,
/// and two scenes with equal sizes get equal layouts. Pure.
[[nodiscard]] Layout arrange(const SceneModel& model, const LayoutRequest& request);

}  // namespace tilestep::gfx
