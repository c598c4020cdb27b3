// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gfx/layers.h"

struct ImDrawList;
struct ImFont;

namespace tilestep::gfx {

/// Fonts for labels. The same face in several sizes keeps small and large text sharp: each label
/// takes the smallest one that is not smaller than it needs. Empty: ImGui's current font.
struct LabelFonts {
  std::vector<ImFont*> text;    ///< Ascending sizes.
  std::vector<ImFont*> strong;  ///< For titles and names; may be empty.
};

/// Draws labels into a draw list where placeLabels() puts them, measured with the fonts that draw
/// them; `viewport` is in ImGui coordinates. Clips nothing: push a clip rectangle where needed.
void drawLabels(const std::vector<Label>& labels, const Box& viewport, ImDrawList* list,
                const LabelFonts& fonts);

}  // namespace tilestep::gfx
