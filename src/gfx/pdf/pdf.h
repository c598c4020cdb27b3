// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "gfx/drawing/drawing.h"

namespace tilestep::gfx {

/// For each typeface its font files; the first one that has a character draws it.
struct TypefaceFiles {
  std::vector<std::string> text, strong, mono;
};

/// The part of a drawing that fills a page. Its pixels are 3/4 of a point wide and high, as on a
/// screen of 96 pixels per inch.
struct PdfPage {
  Drawing drawing;
  Box part;
  Color background;
};

/// What readers and programs are told of the document.
struct PdfInfo {
  std::string title;
  std::string subject;  ///< May be empty.
};

/// A PDF 1.7 document that needs no other file: shapes stay shapes, and texts are texts, set in the
/// glyphs that they use of these fonts. The same pages give the same bytes. An error where a font
/// is missing or cannot be read, or where memory is short.
[[nodiscard]] Result<std::string> pdfOf(std::span<const PdfPage> pages, const PdfInfo& info,
                                        const TypefaceFiles& fonts);

}  // namespace tilestep::gfx
