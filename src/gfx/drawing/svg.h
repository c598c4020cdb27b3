// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gfx/drawing/drawing.h"

namespace tilestep::gfx {

struct SvgText {
  std::string title;        ///< Read out by screen readers, and shown as the picture's name.
  std::string description;  ///< May be empty.
};

/// The part of the drawing inside `part` (no area: all of it, from 0, 0) as an SVG 2 document
/// that needs no other file: texts are texts, in the reader's Inter, JetBrains Mono or the like,
/// and as wide as they were on screen.
[[nodiscard]] std::string svgOf(const Drawing& drawing, Box part, Color background,
                                const SvgText& text);

/// The same part as an `svg` element of an HTML page: without a background, and in the page's own
/// fonts (classes t, s and m: text, strong and mono). `ids`: begins the names of its definitions,
/// other than those of the page's other pictures.
[[nodiscard]] std::string svgElementOf(const Drawing& drawing, const Box& part, const SvgText& text,
                                       const std::string& ids);

}  // namespace tilestep::gfx
