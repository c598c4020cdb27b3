// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "features/names.h"
#include "features/sums/view.h"
#include "gfx/palette.h"
#include "ui/kit/legend.h"

namespace tilestep::features {

/// The stage: what the launch costs, what the step does, and the array, a row for each round.
void drawSums(const Context& context);

/// The first elements of an array that have room side by side: all of them, or as many as a power
/// of two. Pure. `least`: the width of the narrowest element, pixels.
[[nodiscard]] uint32_t elementsWithRoom(uint32_t count, float width, float least);

/// The kinds of mark in a picture of an array, covered or not.
struct SumTreeDrawn {
  float height = 0;       ///< That it took, pixels.
  bool kept = false;      ///< An element that a later row still needs.
  bool unneeded = false;  ///< A sum that has been made and is not needed.
};
/// The array's rows, drawn into a box of the current window.
SumTreeDrawn drawSumTree(const Context& context, const SumsView& view, const gfx::Box& box);

/// The lab's sums beside one another.
void drawSumLadder(const Context& context, const SumsView& view);

/// The opacity of an element that is still needed, and of a sum that is not needed.
inline constexpr float kKept = 0.45F, kUnneeded = 0.45F;

/// The meaning of the marks on the stage. `context` must outlive them.
[[nodiscard]] std::vector<LegendMark> sumsMarks(const Context& context);

}  // namespace tilestep::features
