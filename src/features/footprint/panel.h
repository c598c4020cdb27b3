// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "features/footprint/view.h"
#include "features/names.h"
#include "gfx/camera.h"
#include "ui/kit/legend.h"

namespace tilestep::features {

/// The stage: the counts up to the step, and a description and two pictures of the step's request.
void drawFootprint(const Context& context);

/// Requests, sectors and useful shares up to the step, one line for each kind of access.
void drawCounts(const Context& context, const FootprintView& view);

/// Draws the step's request into a box of the current window: its lines of 128 bytes one below
/// another, with their sectors and the requesting lanes. Draws nothing before the first request.
/// Returns the picture's height in pixels.
float drawRequest(const Context& context, const FootprintView& view, const gfx::Box& box);
/// The height in pixels of a request with this many lines, if space is not limited.
[[nodiscard]] float heightOfRequest(const Context& context, uint64_t lines);

/// Draws the block's warps on the operand that the step's request accesses.
void drawMap(const Context& context, const FootprintView& view, const gfx::Box& box);

/// The opacity of an element that is requested in a later step.
inline constexpr float kLater = 0.25F;

/// The legend of colours and marks. `context` must outlive the result.
[[nodiscard]] std::vector<LegendMark> footprintMarks(const Context& context);
void drawFootprintLegend(const Context& context);

}  // namespace tilestep::features
