// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "features/names.h"
#include "features/sums/view.h"
#include "gfx/palette.h"
#include "ui/kit/legend.h"

namespace tilestep::features {

/// The stage: the launch's cost, the step's sentence, and the array with a row for each round.
void drawSums(const Context& context);

/// The number of elements that fit side by side from the array's start: `count` or a power of two.
/// `least` is the width of the narrowest element in pixels. Pure.
[[nodiscard]] uint32_t elementsWithRoom(uint32_t count, float width, float least);

/// The picture, and which kinds of marks it contains, even if they are covered.
struct SumTreeDrawn {
  float height = 0;       ///< Height of the picture in pixels.
  bool kept = false;      ///< An element that a later row still needs.
  bool unneeded = false;  ///< A computed sum that is not needed.
};
/// Draws the array's rows into a box of the current window.
SumTreeDrawn drawSumTree(const Context& context, const SumsView& view, const gfx::Box& box);

void drawSumLadder(const Context& context, const SumsView& view);

/// The opacity of an element that is still needed, and of a sum that is not needed.
inline constexpr float kKept = 0.45F, kUnneeded = 0.45F;

/// The legend of the marks on the stage. `context` must outlive the result.
[[nodiscard]] std::vector<LegendMark> sumsMarks(const Context& context);

}  // namespace tilestep::features
