// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "features/divergence/view.h"
#include "features/names.h"
#include "ui/kit/legend.h"

namespace tilestep::features {

/// The stage: the cost of branches, the step's sentence, and the warps' lanes against time.
void drawLanes(const Context& context);

/// The rows of a warp that fit, including the present ones. Pure.
struct RowRange {
  size_t first = 0, count = 0;
};
[[nodiscard]] RowRange rowsWithRoom(size_t rows, size_t now, size_t room);

/// The index of the last row at or before the event; 0 if there is none.
[[nodiscard]] size_t rowAt(const WarpRows& warp, uint32_t event);

/// Draws one warp's rows, 32 columns wide, into a box of the current window. Returns their height
/// in pixels.
float drawWarpRows(const Context& context, const DivergenceView& view, const WarpRows& warp,
                   const gfx::Box& box);

/// The mark of a path: a colour, which for "all" is no path's.
[[nodiscard]] gfx::Color colourOf(const LanesPicture& picture, size_t path,
                                  const gfx::Palette& palette);

/// The meaning of the marks on the stage. `context` must outlive them.
[[nodiscard]] std::vector<LegendMark> lanesMarks(const Context& context);

}  // namespace tilestep::features
