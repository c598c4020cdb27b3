// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gfx/layers.h"

namespace tilestep::gfx {

/// Returns the width in pixels with which a label's text will be drawn at a font size.
using MeasureText =
    std::function<float(const Label& label, const std::string& text, float heightPx)>;

/// A label and its position in viewport coordinates.
struct PlacedLabel {
  const Label* label = nullptr;
  const std::string* text = nullptr;  ///< Points to one of the label's two texts.
  float heightPx = 0;
  Box box;  ///< The text's box; its height is the font size.
};

/// Places labels so that they do not overlap, for any font, and omits those that do not fit even
/// with their shorter text or a smaller size. Titles, names, badges, notes, cells and indices are
/// placed in this order. The result is in the order of `labels`, which must outlive it. Pure.
[[nodiscard]] std::vector<PlacedLabel> placeLabels(const std::vector<Label>& labels,
                                                   float viewportWidth, const MeasureText& measure);

}  // namespace tilestep::gfx
