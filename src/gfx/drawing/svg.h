// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gfx/drawing/drawing.h"

namespace tilestep::gfx {

struct SvgText {
  std::string title;        ///< Read by screen readers and shown as the picture's name.
  std::string description;  ///< May be empty.
};

/// The part of the drawing inside `part` (if it has no area: all of it, from 0, 0) as a
/// self-contained SVG 2 document. Texts remain texts, set in the reader's Inter, JetBrains Mono or
/// similar fonts, and keep their width.
[[nodiscard]] std::string svgOf(const Drawing& drawing, Box part, Color background,
                                const SvgText& text);

/// The same part as an `svg` element of an HTML page: without a background, and in the page's own
/// fonts (classes t, s and m: text, strong and mono). `ids`: a prefix for the names of its
/// definitions, unique on the page.
[[nodiscard]] std::string svgElementOf(const Drawing& drawing, const Box& part, const SvgText& text,
                                       const std::string& ids);

}  // namespace tilestep::gfx
