// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gfx/layers.h"

namespace tilestep::gfx {

/// How wide a text of a label is at a font size, in pixels, as it will be drawn.
using MeasureText =
    std::function<float(const Label& label, const std::string& text, float heightPx)>;

/// A label with the place where it is drawn, in viewport coordinates.
struct PlacedLabel {
  const Label* label = nullptr;
  const std::string* text = nullptr;  ///< Either of the label's texts.
  float heightPx = 0;
  Box box;  ///< Around the text, as high as its font size.
};

/// Gives each label a place where no other label stands, however wide the font is, and leaves out
/// those that have none. A label may take its shorter text or a smaller size first. Titles, names,
/// badges, notes, cells and indices choose in this order. The result is in the order of `labels`,
/// which must outlive it. Pure.
[[nodiscard]] std::vector<PlacedLabel> placeLabels(const std::vector<Label>& labels,
                                                   float viewportWidth, const MeasureText& measure);

}  // namespace tilestep::gfx
