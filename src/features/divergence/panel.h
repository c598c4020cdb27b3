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

/// A range of a warp's rows that fits on the stage and includes the present rows.
struct RowRange {
  size_t first = 0, count = 0;
};
[[nodiscard]] RowRange rowsWithRoom(size_t rows, size_t now, size_t room);

/// The index of the last row at or before the event; 0 if there is none.
[[nodiscard]] size_t rowAt(const WarpRows& warp, uint32_t event);

/// Draws one warp's rows, 32 columns wide, into a box of the window. Returns their height in
/// pixels.
float drawWarpRows(const Context& context, const DivergenceView& view, const WarpRows& warp,
                   const gfx::Box& box);

/// The colour of a path. The path "all" has a colour that no other path has.
[[nodiscard]] gfx::Color colourOf(const LanesPicture& picture, size_t path,
                                  const gfx::Palette& palette);

/// The legend of the marks on the stage. `context` must outlive the result.
[[nodiscard]] std::vector<LegendMark> lanesMarks(const Context& context);

}  // namespace tilestep::features
