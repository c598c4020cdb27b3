// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gfx/drawing/drawing.h"

namespace tilestep::gfx {

struct SvgText {
  std::string title;        ///< Read by screen readers and shown as the picture's name.
  std::string description;  ///< May be empty.
};

/// A self-contained SVG 2 document with the part of the drawing inside `part`, or all of the
/// drawing from (0, 0) if `part` has no area. Texts remain texts with unchanged width, set in the
/// reader's Inter, JetBrains Mono or similar fonts.
[[nodiscard]] std::string svgOf(const Drawing& drawing, Box part, Color background,
                                const SvgText& text);

/// The same part as an `svg` element of an HTML page, without a background and in the page's fonts
/// (classes t, s and m for text, strong and mono). `ids` is a prefix for the names of definitions
/// that is unique on the page.
[[nodiscard]] std::string svgElementOf(const Drawing& drawing, const Box& part, const SvgText& text,
                                       const std::string& ids);

}  // namespace tilestep::gfx
