// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gfx/layers.h"

struct ImDrawList;
struct ImFont;

namespace tilestep::gfx {

/// Fonts for labels. The same face in several sizes keeps all text sharp, because each label uses
/// the smallest font that is at least as large as needed. Without any font here, ImGui's current
/// font is used.
struct LabelFonts {
  std::vector<ImFont*> text;    ///< Ascending sizes.
  std::vector<ImFont*> strong;  ///< For titles and names; may be empty.
};

/// Draws labels at the positions from placeLabels(), measured with the fonts that draw them.
/// `viewport` is in ImGui coordinates. Does not clip, so push a clip rectangle where needed.
void drawLabels(const std::vector<Label>& labels, const Box& viewport, ImDrawList* list,
                const LabelFonts& fonts);

}  // namespace tilestep::gfx
