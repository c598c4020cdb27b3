// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gfx/camera.h"
#include "gfx/scene.h"

namespace tilestep::gfx {

struct LayoutRequest {
  float width = 0, height = 0;  ///< The viewport, in ImGui coordinates.
  float textHeight = 16;  ///< The interface font's present height; it determines the headers' room.
  float leastText = 11;   ///< As low as headers may become to leave more room for slots.
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

/// Where everything is; `panels`, `arrays` and `threads` are parallel to SceneModel's.
struct Layout {
  std::vector<Grid> panels, arrays, threads;
  Point title;  ///< Upper left corner of the title line.
  float textHeight = 16;
  Box bounds;  ///< The box around everything.
  Box corner;  ///< Free room above M and left of N, for a figure or a sentence; empty where the
               ///< panels form no L.
};

/// Arranges a matrix product as an L (N above, M to the left, P in the corner), with shared arrays
/// and accumulators below it or to its right, whichever allows larger cells. Other kernels have
/// inputs, shared arrays and outputs from left to right. Where a small viewport would leave nothing
/// for the slots, headers shrink (to Layout::textHeight). The layout depends only on roles and
/// sizes, never on values, so nothing moves while stepping, and two scenes with equal sizes get
/// equal layouts. Pure.
[[nodiscard]] Layout arrange(const SceneModel& model, const LayoutRequest& request);

}  // namespace tilestep::gfx
