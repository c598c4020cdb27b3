// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "gfx/drawing/drawing.h"

namespace tilestep::gfx {

/// The font files of each typeface. A character is drawn with the first file that contains it.
struct TypefaceFiles {
  std::vector<std::string> text, strong, mono;
};

/// A page shows `part` of a drawing. A pixel's side is 3/4 of a point, as on a screen with 96
/// pixels per inch.
struct PdfPage {
  Drawing drawing;
  Box part;
  Color background;
};

/// The document's properties, as shown by readers and search engines.
struct PdfInfo {
  std::string title;
  std::string subject;  ///< May be empty.
};

/// A PDF document with embedded fonts. Shapes stay shapes, and texts can be selected and searched.
/// Fails if a font is missing or unreadable, or if there is not enough memory.
[[nodiscard]] Result<std::string> pdfOf(std::span<const PdfPage> pages, const PdfInfo& info,
                                        const TypefaceFiles& files);

}  // namespace tilestep::gfx
